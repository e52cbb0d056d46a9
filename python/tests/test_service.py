"""The SDK against the running service."""

import uuid
from typing import Any, Dict

import pytest

import incident_service as itsm


def test_creates_updates_and_lists_incidents(client: itsm.Client) -> None:
    group = uuid.uuid4().hex
    created = client.create_incident({"short_description": "Mail is down", "priority": "P2", "assignment_group": group})
    updated = client.update_incident(created["id"], {"state": "in_progress", "work_note": "Looking into it."})
    assert updated["state"] == "in_progress"
    page = client.list_incidents(state=["new", "in_progress"], assignment_group=group, created_after="2026-01-01")
    assert [incident["id"] for incident in page.data] == [created["id"]]
    assert page.total == 1


def test_iterates_over_all_pages(client: itsm.Client) -> None:
    group = uuid.uuid4().hex
    ids = [
        client.create_incident({"short_description": f"Printer {place}", "assignment_group": group})["id"]
        for place in range(3)
    ]
    page = client.list_incidents(assignment_group=group, limit=2, sort="created_at", order="asc")
    assert len(page.data) == 2
    assert [incident["id"] for incident in page] == ids
    assert len(page.to_list(max_items=1)) == 1


def test_creates_one_record_for_one_idempotency_key(client: itsm.Client) -> None:
    key = uuid.uuid4().hex
    first = client.create_incident({"short_description": "Once"}, idempotency_key=key)
    assert client.create_incident({"short_description": "Once"}, idempotency_key=key)["id"] == first["id"]


def test_updates_only_the_version_that_was_read(client: itsm.Client) -> None:
    id = client.create_incident({"short_description": "Scanner is slow"})["id"]
    etag = itsm.get_response(client.get_incident(id)).etag
    updated = client.update_incident(id, {"priority": "P1"}, if_match=etag)
    limit = itsm.get_response(updated).rate_limit
    assert limit and limit.remaining < limit.limit
    with pytest.raises(itsm.PreconditionProblem):
        client.update_incident(id, {"priority": "P2"}, if_match=etag)
    with pytest.raises(itsm.ServiceProblem, match="not_modified"):
        client.get_incident(id, if_none_match=itsm.get_response(updated).etag)


def test_raises_the_class_of_each_problem(client: itsm.Client, service: Dict[str, Any]) -> None:
    with pytest.raises(itsm.NotFoundProblem) as missing:
        client.get_incident("INC0000000")
    assert missing.value.code == "not_found" and missing.value.request_id
    with pytest.raises(itsm.ValidationProblem) as invalid:
        client.create_incident({"short_description": "x", "priority": "P9"})  # type: ignore[typeddict-item]
    assert [error["field"] for error in invalid.value.errors] == ["priority"]
    id = client.create_incident({"short_description": "Closed too early"})["id"]
    with pytest.raises(itsm.TransitionProblem) as transition:
        client.update_incident(id, {"state": "closed"})
    assert transition.value.allowed_transitions == ["in_progress", "cancelled"]
    viewer = service["clients"]["viewer"]
    with itsm.Client(service["base_url"], itsm.ClientCredentials(viewer["client_id"], viewer["client_secret"])) as reader:
        with pytest.raises(itsm.PermissionProblem):
            reader.delete_incident(id)
    with itsm.Client(service["base_url"], itsm.ClientCredentials("nobody", "secret")) as stranger:
        with pytest.raises(itsm.AuthenticationProblem, match="invalid_client"):
            stranger.get_me()


def test_exchanges_an_api_key(client: itsm.Client, service: Dict[str, Any]) -> None:
    created = client.create_api_key({"name": "Python SDK", "role": "viewer"})
    # The address that a deployment prints also works.
    with itsm.Client(f"{service['base_url']}/prod/api/v1/", itsm.ApiKey(created["key"])) as keyed:
        assert keyed.get_me()["roles"] == ["viewer"]
    client.delete_api_key(created["id"])


def test_waits_for_a_bulk_job(client: itsm.Client) -> None:
    accepted = client.bulk_incidents({"operation": "create", "records": [{"short_description": "Bulk"}, {}]})
    job = client.wait_for_job(accepted["job_id"], timeout_seconds=60)
    assert [result["status"] for result in job["results"]] == ["succeeded", "failed"]
