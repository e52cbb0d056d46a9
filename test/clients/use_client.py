"""Creates, updates and lists an incident with the Python client of openapi-generator: use_client.py BASE_URL TOKEN."""

import sys

import itsm

base_url, token = sys.argv[1:]
configuration = itsm.Configuration(host=f"{base_url}/prod/api/v1", access_token=token)
with itsm.ApiClient(configuration) as api:
    incidents = itsm.IncidentsApi(api)
    created = incidents.create_incident(itsm.IncidentCreation(short_description="From Python", priority="P2"))
    updated = incidents.update_incident(created.id, itsm.IncidentUpdate(state="in_progress", work_note="Looking into it."))
    assert updated.state == "in_progress", updated.state
    page = incidents.list_incidents(state=["new", "in_progress"], created_after="2026-01-01", limit=200)
    assert created.id in [incident.id for incident in page.data], page.total
    itsm.NotificationsApi(api).list_notifications(unread=True)
    itsm.ChangesApi(api).get_change_calendar(var_from="2026-11-01", to="2026-12-01")
    key = itsm.IdentityApi(api).create_api_key(itsm.ApiKeyCreation(name="Generated Python client"))
    assert key.key.startswith("itsm_")
    webhooks = itsm.WebhooksApi(api)
    webhook = webhooks.create_outbound_webhook(
        itsm.OutboundWebhookCreation(name="Python", url="http://127.0.0.1:9/", events=["incident.created"])
    )
    assert webhooks.list_deliveries(webhook.id).data == []
