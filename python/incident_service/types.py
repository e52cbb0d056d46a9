"""The types of requests and responses."""

# Generated from the contract by tools/generate/client.ts.

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class ReadAllNotificationsRequest(TypedDict):
    until: NotRequired[TimeOrDate]


class VerifyContactMethodRequest(TypedDict):
    code: str


class PreferencesPatchNotifications(TypedDict):
    assignments: NotRequired[bool]
    decisions: NotRequired[bool]
    notes: NotRequired[bool]
    mentions: NotRequired[bool]
    approvals: NotRequired[bool]
    sla: NotRequired[bool]
    incidents: NotRequired[bool]
    webhooks: NotRequired[bool]
    browser: NotRequired[bool]


class PreferencesPatch(TypedDict):
    """Preferences to change."""
    views: NotRequired[List[SavedView]]
    notifications: NotRequired[PreferencesPatchNotifications]
    time_zone: NotRequired[Optional[str]]


class SavedView(TypedDict):
    """Saved view of a list."""
    list: Literal["incidents", "changes", "requests", "cis", "articles"]
    name: str
    query: str
    pinned: NotRequired[bool]


class SharedViews(TypedDict):
    """Views of lists that everyone sees."""
    views: List[SavedView]


class ApiKeyCreation(TypedDict):
    """New API key."""
    name: str
    role: NotRequired[Role]


#: Role of a caller.
Role = Literal["viewer", "itsm_agent", "itsm_manager", "super_admin"]


#: Timestamp with any UTC offset, or a date, which means midnight UTC.
TimeOrDate = str


class IncidentCreation(TypedDict):
    """New incident."""
    short_description: str
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new"]]
    description: NotRequired[Optional[str]]
    category: NotRequired[Optional[str]]
    subcategory: NotRequired[Optional[str]]
    impact: NotRequired[Optional[Literal["high", "medium", "low"]]]
    urgency: NotRequired[Optional[Literal["high", "medium", "low"]]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]
    parent_problem_id: NotRequired[Optional[str]]
    change_id: NotRequired[Optional[str]]
    resolution: NotRequired[Optional[str]]
    notify_stakeholders: NotRequired[bool]


#: Priority; P1 is the most urgent.
Priority = Literal["P1", "P2", "P3", "P4"]


class IncidentReport(TypedDict):
    """What the person who reports an incident knows about it."""
    short_description: str
    description: NotRequired[Optional[str]]
    urgency: NotRequired[Optional[Literal["high", "medium", "low"]]]
    ci_id: NotRequired[Optional[str]]


class IncidentUpdate(TypedDict):
    """Fields to update and an optional work note."""
    short_description: NotRequired[str]
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]]
    description: NotRequired[Optional[str]]
    category: NotRequired[Optional[str]]
    subcategory: NotRequired[Optional[str]]
    impact: NotRequired[Optional[Literal["high", "medium", "low"]]]
    urgency: NotRequired[Optional[Literal["high", "medium", "low"]]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]
    parent_problem_id: NotRequired[Optional[str]]
    change_id: NotRequired[Optional[str]]
    resolution: NotRequired[Optional[str]]
    work_note: NotRequired[str]


class WorkNoteCreation(TypedDict):
    """New note."""
    body: str
    visibility: NotRequired[Literal["team", "public", "private"]]
    attachments: NotRequired[List[AttachmentCreation]]
    attachment_ids: NotRequired[List[str]]


class AttachmentCreation(TypedDict):
    """Link to a file that is stored elsewhere."""
    filename: str
    content_type: str
    size_bytes: int
    url: str


class AttachedFileCreation(TypedDict):
    """File to upload."""
    record_id: str
    filename: str
    content_type: Literal["text/plain", "text/csv", "text/markdown", "application/json", "message/rfc822", "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "application/pdf", "application/zip", "application/gzip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
    size_bytes: int


class ProblemRecordCreation(TypedDict):
    """New problem."""
    short_description: str
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new"]]
    known_error: NotRequired[bool]
    change_ids: NotRequired[List[str]]
    description: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    root_cause: NotRequired[Optional[str]]
    workaround: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]


class ProblemRecordPatch(TypedDict):
    """Fields to update."""
    short_description: NotRequired[str]
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]]
    known_error: NotRequired[bool]
    change_ids: NotRequired[List[str]]
    description: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    root_cause: NotRequired[Optional[str]]
    workaround: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]


class LinkCreation(TypedDict):
    """New link."""
    type: Literal["duplicate_of", "caused_by", "related_to"]
    record_id: str


#: New configuration item.
CiCreation = TypedDict(
    "CiCreation",
    {
        "name": "str",
        "class": "str",
        "status": "NotRequired[Literal['operational', 'degraded', 'down', 'retired']]",
        "attributes": "NotRequired[Dict[str, Any]]",
        "relations": "NotRequired[List[CiRelation]]",
        "environment": "NotRequired[Optional[str]]",
        "owner": "NotRequired[Optional[str]]",
        "location": "NotRequired[Optional[str]]",
        "ip_address": "NotRequired[Optional[str]]",
    },
)


class CiRelation(TypedDict):
    """Relation to another configuration item."""
    type: Literal["depends_on", "runs_on", "part_of", "connected_to"]
    ci_id: str


#: Fields to update.
CiPatch = TypedDict(
    "CiPatch",
    {
        "name": "NotRequired[str]",
        "class": "NotRequired[str]",
        "status": "NotRequired[Literal['operational', 'degraded', 'down', 'retired']]",
        "attributes": "NotRequired[Dict[str, Any]]",
        "relations": "NotRequired[List[CiRelation]]",
        "environment": "NotRequired[Optional[str]]",
        "owner": "NotRequired[Optional[str]]",
        "location": "NotRequired[Optional[str]]",
        "ip_address": "NotRequired[Optional[str]]",
    },
)


class ChangeCreation(TypedDict):
    """New change."""
    short_description: str
    type: NotRequired[Literal["standard", "normal", "emergency"]]
    risk: NotRequired[Literal["low", "medium", "high"]]
    state: NotRequired[Literal["draft", "submitted"]]
    ci_ids: NotRequired[List[str]]
    suppress_pages: NotRequired[bool]
    description: NotRequired[Optional[str]]
    implementation_plan: NotRequired[Optional[str]]
    backout_plan: NotRequired[Optional[str]]
    test_plan: NotRequired[Optional[str]]
    planned_start: NotRequired[Optional[str]]
    planned_end: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]


class ChangePatch(TypedDict):
    """Fields to update."""
    short_description: NotRequired[str]
    type: NotRequired[Literal["standard", "normal", "emergency"]]
    risk: NotRequired[Literal["low", "medium", "high"]]
    state: NotRequired[Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]]
    ci_ids: NotRequired[Optional[List[str]]]
    suppress_pages: NotRequired[bool]
    description: NotRequired[Optional[str]]
    implementation_plan: NotRequired[Optional[str]]
    backout_plan: NotRequired[Optional[str]]
    test_plan: NotRequired[Optional[str]]
    planned_start: NotRequired[Optional[str]]
    planned_end: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]


class Decision(TypedDict):
    """Approval or rejection."""
    note: NotRequired[Optional[str]]


class ServiceRequestCreation(TypedDict):
    """New service request."""
    short_description: str
    quantity: NotRequired[int]
    state: NotRequired[Literal["submitted"]]
    description: NotRequired[Optional[str]]
    item: NotRequired[Optional[str]]
    requested_for: NotRequired[Optional[str]]


class ServiceRequestPatch(TypedDict):
    """Fields to update."""
    short_description: NotRequired[str]
    quantity: NotRequired[int]
    state: NotRequired[Literal["submitted", "approved", "rejected", "fulfilled", "cancelled"]]
    description: NotRequired[Optional[str]]
    item: NotRequired[Optional[str]]
    requested_for: NotRequired[Optional[str]]


class ProposalCreation(TypedDict):
    """New proposal."""
    operation: Literal["createIncident", "updateIncident", "createCi", "updateCi"]
    body: Dict[str, Any]
    evidence: str
    record_id: NotRequired[Optional[str]]
    if_match: NotRequired[Optional[str]]


class BulkIncidentUpdate(TypedDict):
    """Updates the same fields of several incidents."""
    operation: Literal["update"]
    ids: List[str]
    fields: IncidentUpdate


class BulkIncidentResolutionFields(TypedDict):
    """Applied to every incident."""
    resolution: NotRequired[Optional[str]]
    work_note: NotRequired[str]


class BulkIncidentResolution(TypedDict):
    """Resolves several open incidents."""
    operation: Literal["resolve"]
    ids: List[str]
    fields: NotRequired[BulkIncidentResolutionFields]


class BulkIncidentCreation(TypedDict):
    """Creates several incidents."""
    operation: Literal["create"]
    records: List[Any]


class BulkIncidentImport(TypedDict):
    """Imports incidents with their dates, notes and history."""
    operation: Literal["import"]
    records: List[IncidentImport]
    emit_events: NotRequired[bool]
    dry_run: NotRequired[bool]


class BulkProblemUpdate(TypedDict):
    """Updates the same fields of several problems."""
    operation: Literal["update"]
    ids: List[str]
    fields: ProblemRecordPatch


class BulkProblemCreation(TypedDict):
    """Creates several problems."""
    operation: Literal["create"]
    records: List[Any]


class BulkProblemImport(TypedDict):
    """Imports problems with their dates, notes and history."""
    operation: Literal["import"]
    records: List[ProblemImport]
    emit_events: NotRequired[bool]
    dry_run: NotRequired[bool]


class BulkCiUpdate(TypedDict):
    """Updates the same fields of several configuration items."""
    operation: Literal["update"]
    ids: List[str]
    fields: CiPatch


class BulkCiCreation(TypedDict):
    """Creates several configuration items."""
    operation: Literal["create"]
    records: List[Any]


class BulkCiDiscovery(TypedDict):
    """Creates or updates configuration items by name and class."""
    operation: Literal["discover"]
    records: List[Any]


class InboundWebhookCreation(TypedDict):
    """New inbound webhook."""
    name: str
    description: NotRequired[Optional[str]]
    action: NotRequired[Literal["create_incident", "update_incident", "resolve_incident", "add_note"]]
    field_mapping: NotRequired[Dict[str, str]]
    filters: NotRequired[List[WebhookFilter]]
    when: NotRequired[List[WebhookFilter]]
    rules: NotRequired[List[InboundRule]]
    incident_id: NotRequired[Optional[str]]
    dedup_key: NotRequired[Optional[str]]
    dedup_scope: NotRequired[Optional[str]]
    topic_arn: NotRequired[Optional[str]]
    secret_enabled: NotRequired[bool]
    accept_repeated_bodies: NotRequired[bool]
    active: NotRequired[bool]
    preset: NotRequired[Optional[Literal["alertmanager", "grafana", "cloudwatch", "datadog", "sentry", "github", "pagerduty"]]]


class WebhookFilter(TypedDict):
    """Condition on a payload field."""
    field: str
    operator: FilterOperator
    value: Any


#: Comparison operator.
FilterOperator = Literal["eq", "neq", "in", "nin", "gt", "gte", "lt", "lte", "contains", "starts_with", "ends_with", "exists"]


class InboundRule(TypedDict):
    """Action for the events that match its conditions."""
    when: List[WebhookFilter]
    action: Literal["create_incident", "update_incident", "resolve_incident", "add_note"]
    field_mapping: NotRequired[Dict[str, str]]


class InboundWebhookUpdate(TypedDict):
    """Settings to update."""
    name: NotRequired[str]
    description: NotRequired[Optional[str]]
    action: NotRequired[Literal["create_incident", "update_incident", "resolve_incident", "add_note"]]
    field_mapping: NotRequired[Dict[str, Optional[str]]]
    filters: NotRequired[List[WebhookFilter]]
    when: NotRequired[List[WebhookFilter]]
    rules: NotRequired[List[InboundRule]]
    incident_id: NotRequired[Optional[str]]
    dedup_key: NotRequired[Optional[str]]
    dedup_scope: NotRequired[Optional[str]]
    topic_arn: NotRequired[Optional[str]]
    secret_enabled: NotRequired[bool]
    accept_repeated_bodies: NotRequired[bool]
    active: NotRequired[bool]


class InboundLabRequest(TypedDict):
    """Test request."""
    payload: Any
    settings: NotRequired[InboundWebhookUpdate]


class InboundPreviewRequest(TypedDict):
    """Test request for a new webhook."""
    payload: Any
    settings: InboundWebhookCreation


class OutboundWebhookCreation(TypedDict):
    """New outbound webhook."""
    name: str
    url: str
    events: List[EventType]
    filters: NotRequired[List[WebhookFilter]]
    format: NotRequired[Literal["service", "cloudevents", "slack", "teams"]]
    sign_payloads: NotRequired[bool]
    active: NotRequired[bool]
    timeout_seconds: NotRequired[int]
    inbound_webhook_id: NotRequired[Optional[str]]
    client_id: NotRequired[Optional[str]]
    include_own: NotRequired[bool]
    headers: NotRequired[Dict[str, str]]


#: Type of the event.
EventType = Literal["incident.created", "incident.updated", "incident.resolved", "incident.priority_changed", "change.submitted", "change.approved", "change.rejected", "request.submitted", "request.approved", "sla.breach_warning", "sla.breached", "ci.discovered", "incident.acknowledged", "incident.escalated", "problem.created", "problem.updated", "problem.resolved"]


class OutboundWebhookUpdate(TypedDict):
    """Settings to update."""
    name: NotRequired[str]
    url: NotRequired[str]
    events: NotRequired[List[EventType]]
    filters: NotRequired[List[WebhookFilter]]
    format: NotRequired[Literal["service", "cloudevents", "slack", "teams"]]
    sign_payloads: NotRequired[bool]
    active: NotRequired[bool]
    timeout_seconds: NotRequired[int]
    inbound_webhook_id: NotRequired[Optional[str]]
    client_id: NotRequired[Optional[str]]
    include_own: NotRequired[bool]
    headers: NotRequired[Dict[str, Optional[str]]]


class Recovery(TypedDict):
    """Time range to recover."""
    since: str


class NotificationSettings(TypedDict):
    """Notification settings of the caller."""
    groups: List[str]


class ContactMethodCreation(TypedDict):
    """A new way to reach the caller."""
    kind: ContactKind
    address: str
    label: NotRequired[Optional[str]]


#: `email` and `sms` are verified with a code.
ContactKind = Literal["email", "sms", "slack", "teams", "ntfy"]


class NotificationRulesUpdate(TypedDict):
    """New rules; null restores a default."""
    pages: Optional[List[NotificationStep]]
    notifications: Optional[List[NotificationStep]]
    topics: Optional[List[Literal["assignments", "decisions", "notes", "mentions", "approvals", "sla", "incidents", "webhooks"]]]


class NotificationStep(TypedDict):
    """Use of a contact method."""
    method_id: str
    after_minutes: int


class PageCreation(TypedDict):
    """What to page: exactly one of a policy, a schedule and a person."""
    escalation_policy_id: NotRequired[str]
    schedule_id: NotRequired[str]
    person: NotRequired[str]
    reason: NotRequired[Optional[str]]


class QuestionContextRecord(TypedDict):
    """Record the question refers to."""
    type: Literal["incident", "change"]
    id: str


class Question(TypedDict):
    """Question for the knowledge base."""
    question: str
    context_record: NotRequired[QuestionContextRecord]
    max_kb_results: NotRequired[int]
    model: NotRequired[Literal["model-3-haiku", "model-3-sonnet", "model-3-opus"]]


class AnalysisRequest(TypedDict):
    """Record to analyze."""
    record_type: NotRequired[Literal["incident", "change"]]
    record_id: str
    analysis_type: NotRequired[Literal["root_cause", "impact", "summary"]]
    model: NotRequired[Literal["model-3-haiku", "model-3-sonnet", "model-3-opus"]]


class ExemplarsRequest(TypedDict):
    """Description to find similar incidents for."""
    record_type: NotRequired[Literal["incident"]]
    description: str
    category: NotRequired[str]
    top_k: NotRequired[int]
    include_open: NotRequired[bool]


class SuggestRequestCurrent(TypedDict):
    """Values the user has already chosen."""
    category: NotRequired[Optional[str]]
    subcategory: NotRequired[Optional[str]]
    priority: NotRequired[Optional[Literal["P1", "P2", "P3", "P4"]]]
    assignment_group: NotRequired[Optional[str]]


class SuggestRequest(TypedDict):
    """Text to suggest field values for."""
    text: str
    suggest_for: NotRequired[List[Literal["category", "priority", "assignment_group"]]]
    current: NotRequired[SuggestRequestCurrent]


class Query(TypedDict):
    """Question about the records."""
    query: NotRequired[str]
    question: NotRequired[str]
    conversation_id: NotRequired[str]
    model: NotRequired[Literal["model-3-haiku", "model-3-sonnet", "model-3-opus"]]


class ArticleCreation(TypedDict):
    """New article."""
    title: str
    body: str
    state: NotRequired[Literal["draft", "published"]]
    category: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]


class ArticleUpdate(TypedDict):
    """Fields to update."""
    title: NotRequired[str]
    body: NotRequired[str]
    state: NotRequired[Literal["draft", "published"]]
    category: NotRequired[Optional[str]]
    tags: NotRequired[List[str]]


class McpMessageParams(TypedDict):


class McpMessageResult(TypedDict):


class McpMessageError(TypedDict):


class McpMessage(TypedDict):
    """JSON-RPC message of the Model Context Protocol."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[Union[str, int]]
    method: NotRequired[str]
    params: NotRequired[McpMessageParams]
    result: NotRequired[McpMessageResult]
    error: NotRequired[McpMessageError]


class SlaPolicyCreation(TypedDict):
    """New SLA policy."""
    name: str
    kind: Literal["incident", "request", "change"]
    resolve_minutes: int
    pause_states: NotRequired[List[str]]
    warning_percent: NotRequired[int]
    description: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    category: NotRequired[Optional[str]]
    priority: NotRequired[Optional[Priority]]
    acknowledge_minutes: NotRequired[Optional[int]]
    calendar_id: NotRequired[Optional[str]]


class SlaPolicyPatch(TypedDict):
    """Fields to update."""
    name: NotRequired[str]
    kind: NotRequired[Literal["incident", "request", "change"]]
    resolve_minutes: NotRequired[int]
    pause_states: NotRequired[List[str]]
    warning_percent: NotRequired[int]
    description: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    category: NotRequired[Optional[str]]
    priority: NotRequired[Optional[Priority]]
    acknowledge_minutes: NotRequired[Optional[int]]
    calendar_id: NotRequired[Optional[str]]


class CalendarCreation(TypedDict):
    """New calendar."""
    name: str
    time_zone: str
    hours: List[OpenHours]
    holidays: NotRequired[List[Holiday]]
    description: NotRequired[Optional[str]]


#: Open hours of some days of the week.
OpenHours = Restriction


#: Period of the week in which a layer is on call.
Restriction = TypedDict(
    "Restriction",
    {
        "weekdays": "List[Literal['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']]",
        "from": "str",
        "to": "str",
    },
)


class Holiday(TypedDict):
    """Day on which everything is closed."""
    date: str
    name: str
    yearly: NotRequired[bool]


class CalendarPatch(TypedDict):
    """Fields to update."""
    name: NotRequired[str]
    time_zone: NotRequired[str]
    hours: NotRequired[List[OpenHours]]
    holidays: NotRequired[List[Holiday]]
    description: NotRequired[Optional[str]]


class HolidayImport(TypedDict):
    """Holidays in an iCalendar file."""
    icalendar: str
    replace: NotRequired[bool]


class ScheduleCreation(TypedDict):
    """New schedule."""
    name: str
    time_zone: str
    layers: List[ScheduleLayer]
    description: NotRequired[Optional[str]]


class ScheduleLayer(TypedDict):
    """People who take turns in a schedule."""
    name: str
    people: List[str]
    shift_length: int
    shift_unit: Literal["hours", "days", "weeks"]
    handoff_time: str
    handoff_weekday: NotRequired[Optional[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]]
    starts_on: str
    ends_on: NotRequired[Optional[str]]
    restrictions: NotRequired[List[Restriction]]


class SchedulePatch(TypedDict):
    """Fields to update."""
    name: NotRequired[str]
    time_zone: NotRequired[str]
    layers: NotRequired[List[ScheduleLayer]]
    description: NotRequired[Optional[str]]


class OverrideCreation(TypedDict):
    """New override."""
    person: str
    starts_at: str
    ends_at: str
    reason: NotRequired[Optional[str]]


class ShiftSwap(TypedDict):
    """Two periods whose people take the place of each other."""
    first: SwappedPeriod
    second: SwappedPeriod


class SwappedPeriod(TypedDict):
    """Period in which the person is on call."""
    person: str
    starts_at: str
    ends_at: str


class EscalationPolicyCreation(TypedDict):
    """New escalation policy."""
    name: str
    steps: List[EscalationStep]
    repeat: NotRequired[int]
    description: NotRequired[Optional[str]]
    acknowledgement_expires_minutes: NotRequired[Optional[int]]


class EscalationStep(TypedDict):
    """Step of an escalation policy."""
    targets: List[EscalationTarget]
    wait_minutes: int


class EscalationTarget(TypedDict):
    """Who is paged."""
    type: Literal["schedule", "person", "group"]
    id: str


class EscalationPolicyPatch(TypedDict):
    """Fields to update."""
    name: NotRequired[str]
    steps: NotRequired[List[EscalationStep]]
    repeat: NotRequired[int]
    description: NotRequired[Optional[str]]
    acknowledgement_expires_minutes: NotRequired[Optional[int]]


class GroupPagingUpdate(TypedDict):
    """New paging settings of an assignment group."""
    escalation_policy_id: Optional[str]
    priorities: NotRequired[List[Priority]]


class IncidentCreatedPayload(TypedDict):
    """An incident was created."""
    event: Literal["incident.created"]
    timestamp: str
    service_instance: str
    data: IncidentEventData


IncidentEventDataChangesValue = TypedDict(
    "IncidentEventDataChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class IncidentEventData(TypedDict):
    """The incident after the change."""
    id: str
    short_description: str
    priority: Priority
    state: Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]
    url: str
    api_url: str
    changes: NotRequired[Dict[str, IncidentEventDataChangesValue]]


class IncidentUpdatedPayload(TypedDict):
    """A field of an incident changed."""
    event: Literal["incident.updated"]
    timestamp: str
    service_instance: str
    data: IncidentEventData


class IncidentResolvedPayload(TypedDict):
    """An incident was resolved."""
    event: Literal["incident.resolved"]
    timestamp: str
    service_instance: str
    data: IncidentEventData


class IncidentPriorityChangedPayload(TypedDict):
    """The priority of an incident changed."""
    event: Literal["incident.priority_changed"]
    timestamp: str
    service_instance: str
    data: IncidentEventData


class ChangeSubmittedPayload(TypedDict):
    """A change was submitted for approval."""
    event: Literal["change.submitted"]
    timestamp: str
    service_instance: str
    data: ChangeEventData


class ChangeEventData(TypedDict):
    """The change after it entered the state."""
    id: str
    short_description: str
    state: Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]
    url: str
    api_url: str


class ChangeApprovedPayload(TypedDict):
    """A change was approved."""
    event: Literal["change.approved"]
    timestamp: str
    service_instance: str
    data: ChangeEventData


class ChangeRejectedPayload(TypedDict):
    """A change was rejected."""
    event: Literal["change.rejected"]
    timestamp: str
    service_instance: str
    data: ChangeEventData


class RequestSubmittedPayload(TypedDict):
    """A service request was submitted."""
    event: Literal["request.submitted"]
    timestamp: str
    service_instance: str
    data: ServiceRequestEventData


class ServiceRequestEventData(TypedDict):
    """The service request after it entered the state."""
    id: str
    short_description: str
    state: Literal["submitted", "approved", "rejected", "fulfilled", "cancelled"]
    url: str
    api_url: str


class RequestApprovedPayload(TypedDict):
    """A service request was approved."""
    event: Literal["request.approved"]
    timestamp: str
    service_instance: str
    data: ServiceRequestEventData


class SlaBreachWarningPayload(TypedDict):
    """A record used 75% of its SLA, or the share that its policy says."""
    event: Literal["sla.breach_warning"]
    timestamp: str
    service_instance: str
    data: SlaEventData


class SlaEventData(TypedDict):
    """The record, and the calculated time of the warning or breach."""
    id: str
    short_description: str
    priority: NotRequired[Priority]
    state: str
    url: str
    api_url: str
    target: Literal["acknowledge", "resolve"]
    warned_at: NotRequired[str]
    breached_at: NotRequired[str]


class SlaBreachedPayload(TypedDict):
    """A record breached its SLA."""
    event: Literal["sla.breached"]
    timestamp: str
    service_instance: str
    data: SlaEventData


class CiDiscoveredPayload(TypedDict):
    """A discovery found a new configuration item."""
    event: Literal["ci.discovered"]
    timestamp: str
    service_instance: str
    data: CiEventData


#: The discovered configuration item.
CiEventData = TypedDict(
    "CiEventData",
    {
        "id": "str",
        "name": "str",
        "class": "str",
        "state": "Literal['operational', 'degraded', 'down', 'retired']",
        "url": "str",
        "api_url": "str",
    },
)


class IncidentAcknowledgedPayload(TypedDict):
    """Somebody acknowledged an incident."""
    event: Literal["incident.acknowledged"]
    timestamp: str
    service_instance: str
    data: IncidentEventData


class IncidentEscalatedPayload(TypedDict):
    """Nobody answered a page in time, so the next step is paged."""
    event: Literal["incident.escalated"]
    timestamp: str
    service_instance: str
    data: EscalatedIncidentEventData


EscalatedIncidentEventDataChangesValue = TypedDict(
    "EscalatedIncidentEventDataChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class EscalatedIncidentEventDataEscalation(TypedDict):
    """The step that is paged now."""
    page_id: str
    step: int
    repetition: int


class EscalatedIncidentEventData(TypedDict):
    """The incident, and the step that is paged now."""
    id: str
    short_description: str
    priority: Priority
    state: Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]
    url: str
    api_url: str
    changes: NotRequired[Dict[str, EscalatedIncidentEventDataChangesValue]]
    escalation: EscalatedIncidentEventDataEscalation


class ProblemCreatedPayload(TypedDict):
    """A problem was created."""
    event: Literal["problem.created"]
    timestamp: str
    service_instance: str
    data: ProblemEventData


ProblemEventDataChangesValue = TypedDict(
    "ProblemEventDataChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class ProblemEventData(TypedDict):
    """The problem after the change."""
    id: str
    short_description: str
    priority: Priority
    state: Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]
    known_error: bool
    url: str
    api_url: str
    changes: NotRequired[Dict[str, ProblemEventDataChangesValue]]


class ProblemUpdatedPayload(TypedDict):
    """A field of a problem changed."""
    event: Literal["problem.updated"]
    timestamp: str
    service_instance: str
    data: ProblemEventData


class ProblemResolvedPayload(TypedDict):
    """A problem was resolved."""
    event: Literal["problem.resolved"]
    timestamp: str
    service_instance: str
    data: ProblemEventData


class PingPayload(TypedDict):
    """Test delivery."""
    event: Literal["ping"]
    timestamp: str
    service_instance: str
    data: PingEventData


class PingEventData(TypedDict):
    """The webhook that is tested."""
    id: str
    url: str
    api_url: str


ImportedChangeChangesValue = TypedDict(
    "ImportedChangeChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class ImportedChange(TypedDict):
    """Earlier change."""
    at: str
    actor: str
    changes: Dict[str, ImportedChangeChangesValue]


class Problem(TypedDict):
    """Problem details (RFC 9457)."""
    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: NotRequired[List[FieldProblem]]


class FieldProblem(TypedDict):
    """A validation problem with one field."""
    field: str
    message: str


class HealthSearch(TypedDict):
    """How far lists are behind the table."""
    engine: Literal["memory", "opensearch"]
    lag_seconds: Optional[int]
    problem: NotRequired[str]


class Health(TypedDict):
    """Health of the service."""
    status: Literal["ok"]
    version: str
    service_instance: str
    time: str
    search: NotRequired[HealthSearch]


class ApiDocumentInfo(TypedDict):
    """Name and version of the API."""
    title: str
    version: str


class ApiDocumentServersItem(TypedDict):
    url: str


class ApiDocument(TypedDict):
    """OpenAPI document."""
    openapi: str
    info: ApiDocumentInfo
    servers: List[ApiDocumentServersItem]


class Profile(TypedDict):
    """Profile of the caller."""
    id: str
    email: str
    kind: Literal["user", "client"]
    roles: List[Role]
    rate_limits: List[RateLimit]


#: Rate limit of a caller.
RateLimit = TypedDict(
    "RateLimit",
    {
        "class": "str",
        "limit": "int",
        "window_seconds": "int",
    },
)


class Preferences(TypedDict):
    """Preferences of the caller."""
    views: List[SavedViewOutput]
    notifications: NotificationPreferences
    time_zone: Optional[str]


class NotificationPreferences(TypedDict):
    """Notifications that the person receives."""
    assignments: bool
    decisions: bool
    notes: bool
    mentions: bool
    approvals: bool
    sla: bool
    incidents: bool
    webhooks: bool
    browser: bool


class PersonList(TypedDict):
    """People of the user pool."""
    data: List[Person]
    total: int
    truncated: bool


class Person(TypedDict):
    """Person in the user pool."""
    email: str
    name: Optional[str]
    role: Optional[Role]


class GroupList(TypedDict):
    """Assignment groups."""
    data: List[Group]
    total: int
    truncated: bool


class Group(TypedDict):
    """Assignment group."""
    name: str


class ApiKeyPage(TypedDict):
    """A page of API keys."""
    data: List[ApiKey]
    next_cursor: NotRequired[str]
    total: int


class ApiKey(TypedDict):
    """API key without its secret."""
    id: str
    name: str
    role: Role
    owner: str
    created_at: str
    last_used_at: Optional[str]


class CreatedApiKey(TypedDict):
    """API key with its secret."""
    id: str
    name: str
    role: Role
    owner: str
    created_at: str
    last_used_at: Optional[str]
    key: str


class AuditPage(TypedDict):
    """A page of the audit log."""
    data: List[AuditEntry]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class AuditEntry(TypedDict):
    """Security-relevant event."""
    id: str
    at: str
    type: Literal["sign_in.succeeded", "sign_in.failed", "api_key.created", "api_key.revoked", "webhook.created", "webhook.updated", "webhook_secret.rotated", "record.deleted", "group.created", "group.updated", "group.deleted", "group.member_added", "group.member_removed", "user.created", "user.updated", "user.enabled", "user.disabled", "user.deleted", "user.password_set", "user.password_reset", "user.signed_out", "client.created", "client.updated", "client.deleted", "federated_sign_in.succeeded", "federated_sign_in.rejected", "role.changed"]
    actor: str
    target: Optional[str]
    source_ip: str
    user_agent: Optional[str]
    request_id: Optional[str]
    details: Dict[str, Union[str, List[str]]]


class IncidentPage(TypedDict):
    """A page of incidents."""
    data: List[Incident]
    next_cursor: NotRequired[str]
    total: int


class Incident(TypedDict):
    """Incident."""
    id: str
    number: str
    short_description: str
    priority: Priority
    state: Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]
    description: Optional[str]
    category: Optional[str]
    subcategory: Optional[str]
    impact: Optional[Literal["high", "medium", "low"]]
    urgency: Optional[Literal["high", "medium", "low"]]
    assignment_group: Optional[str]
    assigned_to: Optional[str]
    ci_id: Optional[str]
    parent_problem_id: Optional[str]
    change_id: Optional[str]
    resolution: Optional[str]
    sla_breach_at: Optional[str]
    sla_breached_at: Optional[str]
    external_id: Optional[str]
    opened_by: str
    resolved_at: Optional[str]
    closed_at: Optional[str]
    acknowledged_at: Optional[str]
    acknowledged_by: Optional[str]
    reopen_count: int
    work_notes_count: int
    ai_suggested_resolution: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class HistoryPage(TypedDict):
    """A page of changes."""
    data: List[HistoryEntry]
    next_cursor: NotRequired[str]
    total: int


class HistoryEntryOrigin(TypedDict):
    """Source of the change."""
    kind: Literal["api", "job", "webhook", "sla", "ai", "restore", "proposal", "page", "import"]
    id: Optional[str]


HistoryEntryChangesValue = TypedDict(
    "HistoryEntryChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class HistoryEntry(TypedDict):
    """Change of a record."""
    version: int
    at: str
    actor: str
    origin: HistoryEntryOrigin
    changes: Dict[str, HistoryEntryChangesValue]


class Sla(TypedDict):
    """SLA of an incident."""
    incident_id: str
    priority: Priority
    policy: SlaPolicySummary
    calendar: Optional[SlaCalendarSummary]
    simulated: bool
    at: str
    clock: Literal["running", "paused", "closed", "ended"]
    warning_percent: float
    target_minutes: int
    started_at: str
    ended_at: Optional[str]
    elapsed_ms: int
    running_ms: int
    paused_ms: int
    closed_ms: int
    remaining_ms: int
    used_percent: float
    breached: bool
    warning_at: Optional[str]
    breach_at: Optional[str]
    warned_at: Optional[str]
    breached_at: Optional[str]
    acknowledge: Optional[SlaAcknowledgement]
    intervals: List[SlaInterval]


class SlaPolicySummary(TypedDict):
    """Policy that defines the targets."""
    id: Optional[str]
    name: str


class SlaCalendarSummary(TypedDict):
    """Calendar of a policy."""
    id: str
    name: str
    time_zone: str


class SlaAcknowledgement(TypedDict):
    """Target for the first acknowledgement."""
    target_minutes: int
    due_at: Optional[str]
    acknowledged_at: Optional[str]
    breached_at: Optional[str]


#: Interval in which the SLA clock was running, paused or outside the open hours.
SlaInterval = TypedDict(
    "SlaInterval",
    {
        "clock": "Literal['running', 'paused', 'closed']",
        "from": "str",
        "to": "Optional[str]",
        "duration_ms": "int",
    },
)


class IncidentStatistics(TypedDict):
    """Statistics of incidents."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    acknowledged: int
    mean_time_to_acknowledge_minutes: Optional[float]
    reopened: int
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    median_time_to_acknowledge_minutes: NotRequired[Optional[float]]
    groups: NotRequired[List[IncidentStatisticsGroup]]
    other: NotRequired[int]
    days: NotRequired[List[IncidentStatisticsPeriod]]
    periods: NotRequired[List[IncidentStatisticsPeriod]]
    compared: NotRequired[IncidentStatisticsCompared]
    difference: NotRequired[IncidentStatisticsDifference]


class IncidentStatisticsGroup(TypedDict):
    """The incidents with the same values."""
    values: Dict[str, Optional[str]]
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    acknowledged: int
    mean_time_to_acknowledge_minutes: Optional[float]
    reopened: int
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    median_time_to_acknowledge_minutes: NotRequired[Optional[float]]


class IncidentStatisticsPeriod(TypedDict):
    """The incidents created and resolved in one period."""
    date: str
    created: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    acknowledged: int
    mean_time_to_acknowledge_minutes: Optional[float]
    reopened: int


class IncidentStatisticsCompared(TypedDict):
    """Present with `compare`: the figures with its filters."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    acknowledged: int
    mean_time_to_acknowledge_minutes: Optional[float]
    reopened: int
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    median_time_to_acknowledge_minutes: NotRequired[Optional[float]]


class IncidentStatisticsDifference(TypedDict):
    """Present with `compare`: each figure minus the compared one."""
    count: NotRequired[Optional[float]]
    resolved: NotRequired[Optional[float]]
    mean_time_to_resolve_minutes: NotRequired[Optional[float]]
    sla_met: NotRequired[Optional[float]]
    sla_breached: NotRequired[Optional[float]]
    sla_attainment: NotRequired[Optional[float]]
    acknowledged: NotRequired[Optional[float]]
    mean_time_to_acknowledge_minutes: NotRequired[Optional[float]]
    reopened: NotRequired[Optional[float]]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    median_time_to_acknowledge_minutes: NotRequired[Optional[float]]


class ChangeStatistics(TypedDict):
    """Statistics of changes."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    groups: NotRequired[List[ChangeStatisticsGroup]]
    other: NotRequired[int]
    days: NotRequired[List[ChangeStatisticsPeriod]]
    periods: NotRequired[List[ChangeStatisticsPeriod]]
    compared: NotRequired[ChangeStatisticsCompared]
    difference: NotRequired[ChangeStatisticsDifference]


class ChangeStatisticsGroup(TypedDict):
    """The changes with the same values."""
    values: Dict[str, Optional[str]]
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class ChangeStatisticsPeriod(TypedDict):
    """The changes created and completed in one period."""
    date: str
    created: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]


class ChangeStatisticsCompared(TypedDict):
    """Present with `compare`: the figures with its filters."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class ChangeStatisticsDifference(TypedDict):
    """Present with `compare`: each figure minus the compared one."""
    count: NotRequired[Optional[float]]
    resolved: NotRequired[Optional[float]]
    mean_time_to_resolve_minutes: NotRequired[Optional[float]]
    sla_met: NotRequired[Optional[float]]
    sla_breached: NotRequired[Optional[float]]
    sla_attainment: NotRequired[Optional[float]]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class RequestStatistics(TypedDict):
    """Statistics of requests."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]
    groups: NotRequired[List[RequestStatisticsGroup]]
    other: NotRequired[int]
    days: NotRequired[List[RequestStatisticsPeriod]]
    periods: NotRequired[List[RequestStatisticsPeriod]]
    compared: NotRequired[RequestStatisticsCompared]
    difference: NotRequired[RequestStatisticsDifference]


class RequestStatisticsGroup(TypedDict):
    """The requests with the same values."""
    values: Dict[str, Optional[str]]
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class RequestStatisticsPeriod(TypedDict):
    """The requests created and fulfilled in one period."""
    date: str
    created: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]


class RequestStatisticsCompared(TypedDict):
    """Present with `compare`: the figures with its filters."""
    count: int
    resolved: int
    mean_time_to_resolve_minutes: Optional[float]
    sla_met: int
    sla_breached: int
    sla_attainment: Optional[float]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class RequestStatisticsDifference(TypedDict):
    """Present with `compare`: each figure minus the compared one."""
    count: NotRequired[Optional[float]]
    resolved: NotRequired[Optional[float]]
    mean_time_to_resolve_minutes: NotRequired[Optional[float]]
    sla_met: NotRequired[Optional[float]]
    sla_breached: NotRequired[Optional[float]]
    sla_attainment: NotRequired[Optional[float]]
    median_time_to_resolve_minutes: NotRequired[Optional[float]]


class WorkNotePage(TypedDict):
    """A page of notes."""
    data: List[WorkNote]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class WorkNote(TypedDict):
    """Work note of an incident."""
    id: str
    author: str
    created_at: str
    incident_id: str
    body: str
    visibility: Literal["team", "public", "private"]
    attachments: List[Attachment]


class Attachment(TypedDict):
    """Attachment of a note: an uploaded file, or a link to a file."""
    filename: str
    content_type: str
    size_bytes: int
    url: str
    id: NotRequired[str]


class CreatedFile(TypedDict):
    """File whose bytes the caller uploads next."""
    record_id: str
    filename: str
    content_type: Literal["text/plain", "text/csv", "text/markdown", "application/json", "message/rfc822", "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "application/pdf", "application/zip", "application/gzip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
    size_bytes: int
    id: str
    state: Literal["pending", "available"]
    note_id: Optional[str]
    created_by: str
    created_at: str
    upload: FileUpload


class FileUpload(TypedDict):
    """Request that uploads the file."""
    method: Literal["PUT"]
    url: str
    headers: Dict[str, str]
    expires_at: str


class AttachedFile(TypedDict):
    """File that is stored by the service."""
    record_id: str
    filename: str
    content_type: Literal["text/plain", "text/csv", "text/markdown", "application/json", "message/rfc822", "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "application/pdf", "application/zip", "application/gzip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
    size_bytes: int
    id: str
    state: Literal["pending", "available"]
    note_id: Optional[str]
    created_by: str
    created_at: str


class DownloadableFile(TypedDict):
    """File with a URL to download it."""
    record_id: str
    filename: str
    content_type: Literal["text/plain", "text/csv", "text/markdown", "application/json", "message/rfc822", "image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm", "application/pdf", "application/zip", "application/gzip", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.presentationml.presentation"]
    size_bytes: int
    id: str
    state: Literal["pending", "available"]
    note_id: Optional[str]
    created_by: str
    created_at: str
    download_url: Optional[str]


class ProblemRecordPage(TypedDict):
    """A page of problems."""
    data: List[ProblemRecord]
    next_cursor: NotRequired[str]
    total: int


class ProblemRecord(TypedDict):
    """Problem: the cause of one or more incidents."""
    id: str
    number: str
    short_description: str
    priority: Priority
    state: Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]
    known_error: bool
    change_ids: List[str]
    description: Optional[str]
    assignment_group: Optional[str]
    assigned_to: Optional[str]
    root_cause: Optional[str]
    workaround: Optional[str]
    ci_id: Optional[str]
    opened_by: str
    resolved_at: Optional[str]
    closed_at: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class RecordNotePage(TypedDict):
    """A page of notes."""
    data: List[RecordNote]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class RecordNote(TypedDict):
    """Note of a record."""
    id: str
    author: str
    created_at: str
    record_id: str
    body: str
    visibility: Literal["team", "public", "private"]
    attachments: List[Attachment]


class LinkList(TypedDict):
    """Links of a record."""
    links: List[Link]


class Link(TypedDict):
    """Link to another record."""
    type: Literal["duplicate_of", "caused_by", "related_to", "duplicated_by", "causes"]
    record_id: str
    record_type: Literal["incident", "problem", "change"]
    short_description: Optional[str]
    state: Optional[str]
    created_at: str
    created_by: str


class CiPage(TypedDict):
    """A page of configuration items."""
    data: List[Ci]
    next_cursor: NotRequired[str]
    total: int


#: Configuration item.
Ci = TypedDict(
    "Ci",
    {
        "id": "str",
        "name": "str",
        "class": "str",
        "status": "Literal['operational', 'degraded', 'down', 'retired']",
        "attributes": "Dict[str, Any]",
        "relations": "List[CiRelation]",
        "environment": "Optional[str]",
        "owner": "Optional[str]",
        "location": "Optional[str]",
        "ip_address": "Optional[str]",
        "discovered_at": "Optional[str]",
        "deleted": "bool",
        "created_at": "str",
        "updated_at": "str",
    },
)


CiImpactCi = TypedDict(
    "CiImpactCi",
    {
        "id": "str",
        "name": "str",
        "class": "str",
        "status": "Literal['operational', 'degraded', 'down', 'retired']",
        "environment": "Optional[str]",
    },
)


class CiImpactTruncated(TypedDict):
    """Which parts of the response are incomplete."""
    affected: bool
    open_incidents: bool


class CiImpact(TypedDict):
    """Items and open incidents that depend on a configuration item."""
    ci: CiImpactCi
    affected: List[AffectedCi]
    affected_total: int
    open_incidents: List[OpenIncident]
    truncated: CiImpactTruncated


#: Item that depends on the configuration item.
AffectedCi = TypedDict(
    "AffectedCi",
    {
        "id": "str",
        "name": "str",
        "class": "str",
        "status": "Literal['operational', 'degraded', 'down', 'retired']",
        "environment": "Optional[str]",
        "distance": "int",
        "via": "CiRelation",
    },
)


class OpenIncident(TypedDict):
    """Open incident of the configuration item."""
    id: str
    short_description: str
    priority: Priority
    state: Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]
    assignment_group: Optional[str]
    created_at: str


class ChangePage(TypedDict):
    """A page of changes."""
    data: List[Change]
    next_cursor: NotRequired[str]
    total: int


class Change(TypedDict):
    """Change request."""
    id: str
    number: str
    short_description: str
    type: Literal["standard", "normal", "emergency"]
    risk: Literal["low", "medium", "high"]
    state: Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]
    description: Optional[str]
    implementation_plan: Optional[str]
    backout_plan: Optional[str]
    test_plan: Optional[str]
    planned_start: Optional[str]
    planned_end: Optional[str]
    assignment_group: Optional[str]
    assigned_to: Optional[str]
    ci_ids: List[str]
    suppress_pages: bool
    requested_by: str
    decision_by: Optional[str]
    decision_at: Optional[str]
    decision_note: Optional[str]
    sla_breach_at: Optional[str]
    sla_breached_at: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class ChangeCalendarTruncated(TypedDict):
    """Which parts of the response are incomplete."""
    changes: bool
    collisions: bool
    dependencies: bool


class ChangeCalendar(TypedDict):
    """Planned changes and their collisions."""
    data: List[CalendarEntry]
    collisions: List[Collision]
    total: int
    collisions_total: int
    truncated: ChangeCalendarTruncated


class CalendarEntry(TypedDict):
    """Change in the calendar."""
    id: str
    short_description: str
    type: Literal["standard", "normal", "emergency"]
    risk: Literal["low", "medium", "high"]
    state: Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]
    ci_ids: List[str]
    planned_start: str
    planned_end: str
    assignment_group: Optional[str]
    assigned_to: Optional[str]


#: Two changes that may conflict.
Collision = TypedDict(
    "Collision",
    {
        "change_ids": "List[str]",
        "from": "str",
        "to": "str",
        "reason": "Literal['same_ci', 'dependency']",
        "ci_ids": "List[str]",
    },
)


class ChangeCollisionsTruncated(TypedDict):
    """Which parts of the check are incomplete."""
    changes: bool
    dependencies: bool


class ChangeCollisions(TypedDict):
    """Changes that may conflict with a window."""
    data: List[CollidingChange]
    truncated: ChangeCollisionsTruncated


#: Change that may conflict with the window.
CollidingChange = TypedDict(
    "CollidingChange",
    {
        "change": "CalendarEntry",
        "from": "str",
        "to": "str",
        "reason": "Literal['same_ci', 'dependency']",
        "ci_ids": "List[str]",
    },
)


class ServiceRequestPage(TypedDict):
    """A page of service requests."""
    data: List[ServiceRequest]
    next_cursor: NotRequired[str]
    total: int


class ServiceRequest(TypedDict):
    """Service request."""
    id: str
    number: str
    short_description: str
    quantity: int
    state: Literal["submitted", "approved", "rejected", "fulfilled", "cancelled"]
    description: Optional[str]
    item: Optional[str]
    requested_for: Optional[str]
    requested_by: str
    decision_by: Optional[str]
    decision_at: Optional[str]
    decision_note: Optional[str]
    sla_breach_at: Optional[str]
    sla_breached_at: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class RequestCatalog(TypedDict):
    """Items that can be requested."""
    items: List[CatalogItem]


class CatalogItem(TypedDict):
    """Item that can be requested."""
    name: str
    description: str


class ProposalPage(TypedDict):
    """A page of proposals."""
    data: List[Proposal]
    next_cursor: NotRequired[str]
    total: int


class ProposalError(TypedDict):
    code: str
    detail: str


class Proposal(TypedDict):
    """Proposed change of a record."""
    id: str
    number: str
    operation: Literal["createIncident", "updateIncident", "createCi", "updateCi"]
    body: Dict[str, Any]
    evidence: str
    record_id: Optional[str]
    if_match: Optional[str]
    state: Literal["pending", "approved", "rejected", "applied", "failed"]
    error: Optional[ProposalError]
    assignment_group: Optional[str]
    requested_by: str
    decision_by: Optional[str]
    decision_at: Optional[str]
    decision_note: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class JobAccepted(TypedDict):
    """Accepted job."""
    job_id: str
    status: JobStatus
    total: int


#: `queued`: waiting for a worker.
JobStatus = Literal["queued", "running", "completed", "completed_with_errors", "failed"]


class JobPage(TypedDict):
    """A page of jobs."""
    data: List[JobSummary]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class JobSummary(TypedDict):
    """Job without the results per record."""
    job_id: str
    record_type: Literal["incident", "ci", "problem"]
    operation: Literal["update", "create", "discover", "import", "resolve"]
    status: JobStatus
    total: int
    processed: int
    succeeded: int
    failed: int
    created_by: str
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]


class Job(TypedDict):
    """Bulk job."""
    job_id: str
    record_type: Literal["incident", "ci", "problem"]
    operation: Literal["update", "create", "discover", "import", "resolve"]
    status: JobStatus
    total: int
    processed: int
    succeeded: int
    failed: int
    created_by: str
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    results: List[JobResult]


class JobResult(TypedDict):
    """Result for one record."""
    index: int
    id: Optional[str]
    status: Literal["succeeded", "failed"]
    already_exists: NotRequired[bool]
    error: NotRequired[JobItemError]


class JobItemErrorErrorsItem(TypedDict):
    field: str
    message: str


class JobItemError(TypedDict):
    """Reason a record failed."""
    code: Literal["invalid_input", "malformed_json", "unauthorized", "forbidden", "not_found", "method_not_allowed", "invalid_transition", "already_approved", "idempotency_key_in_flight", "limit_reached", "in_use", "webhook_inactive", "precondition_failed", "payload_too_large", "unsupported_media_type", "idempotency_key_reused", "mapping_failed", "rate_limited", "internal_error", "unavailable", "model_access_denied", "model_not_in_region", "model_retired", "model_throttled"]
    detail: str
    errors: NotRequired[List[JobItemErrorErrorsItem]]
    allowed_transitions: NotRequired[List[str]]


class InboundWebhookPage(TypedDict):
    """A page of inbound webhooks."""
    data: List[InboundWebhook]
    next_cursor: NotRequired[str]
    total: int


class InboundWebhook(TypedDict):
    """Inbound webhook."""
    id: str
    url: str
    secret: NotRequired[str]
    secret_created_at: Optional[str]
    previous_secret_until: Optional[str]
    created_by: str
    created_at: str
    updated_at: str
    preset: Optional[Literal["alertmanager", "grafana", "cloudwatch", "datadog", "sentry", "github", "pagerduty"]]
    name: str
    description: Optional[str]
    action: Literal["create_incident", "update_incident", "resolve_incident", "add_note"]
    field_mapping: Dict[str, str]
    filters: List[WebhookFilter]
    when: List[WebhookFilter]
    rules: List[InboundRuleOutput]
    incident_id: Optional[str]
    dedup_key: Optional[str]
    dedup_scope: Optional[str]
    topic_arn: Optional[str]
    secret_enabled: bool
    accept_repeated_bodies: bool
    active: bool


class ReceivedAnswer(TypedDict):
    """Result of a received event."""
    event_id: str
    status: Literal["created", "updated", "deduplicated", "filtered", "ignored", "confirmed"]
    incident_id: Optional[str]
    dedup_key: NotRequired[str]


class InboundLabResultFiltersItem(TypedDict):
    field: str
    operator: str
    value: Any
    actual: Any
    passed: bool


class InboundLabResultErrorsItem(TypedDict):
    field: str
    message: str


class InboundLabResult(TypedDict):
    """Result of a test."""
    status: Literal["created", "updated", "deduplicated", "filtered", "ignored", "confirmed", "failed"]
    rule: Optional[int]
    passed: bool
    filters: List[InboundLabResultFiltersItem]
    dedup_key: Optional[str]
    incident_id: Optional[str]
    rendered: Dict[str, str]
    incident: Optional[Dict[str, Any]]
    errors: List[InboundLabResultErrorsItem]


class InboundEventPage(TypedDict):
    """A page of received events."""
    data: List[InboundEventSummary]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class InboundEventSummaryErrorErrorsItem(TypedDict):
    field: str
    message: str


class InboundEventSummaryError(TypedDict):
    detail: str
    errors: List[InboundEventSummaryErrorErrorsItem]


class InboundEventSummary(TypedDict):
    """Received event without its payload."""
    id: str
    webhook_id: str
    received_at: str
    status: Literal["created", "updated", "deduplicated", "filtered", "ignored", "confirmed", "failed"]
    incident_id: Optional[str]
    dedup_key: Optional[str]
    proof: Literal["none", "service_signature", "hub_signature", "standard_webhooks", "token", "replay", "sns_signature"]
    size_bytes: int
    replay_of: Optional[str]
    error: Optional[InboundEventSummaryError]


class InboundEventErrorErrorsItem(TypedDict):
    field: str
    message: str


class InboundEventError(TypedDict):
    detail: str
    errors: List[InboundEventErrorErrorsItem]


class InboundEvent(TypedDict):
    """Received event."""
    id: str
    webhook_id: str
    received_at: str
    status: Literal["created", "updated", "deduplicated", "filtered", "ignored", "confirmed", "failed"]
    incident_id: Optional[str]
    dedup_key: Optional[str]
    proof: Literal["none", "service_signature", "hub_signature", "standard_webhooks", "token", "replay", "sns_signature"]
    size_bytes: int
    replay_of: Optional[str]
    error: Optional[InboundEventError]
    payload: Any


class InboundRejectionPage(TypedDict):
    """Rejected calls of an inbound webhook."""
    data: List[InboundRejection]
    next_cursor: NotRequired[str]
    total: int


class InboundRejection(TypedDict):
    """Rejected call."""
    at: str
    reason: Literal["inactive", "no_signature", "invalid_signature", "stale_timestamp", "invalid_token", "other_topic", "too_large", "not_json", "rate_limited", "key_reused"]
    status: int
    size_bytes: int


class OutboundWebhookPage(TypedDict):
    """A page of outbound webhooks."""
    data: List[OutboundWebhook]
    next_cursor: NotRequired[str]
    total: int


class OutboundWebhookNoticesItem(TypedDict):
    code: Literal["headers_dropped", "secret_replaced"]
    message: str


class OutboundWebhook(TypedDict):
    """Outbound webhook."""
    id: str
    secret: NotRequired[str]
    notices: NotRequired[List[OutboundWebhookNoticesItem]]
    disabled_reason: Optional[str]
    created_by: str
    created_at: str
    updated_at: str
    name: str
    url: str
    events: List[EventType]
    filters: List[WebhookFilter]
    format: Literal["service", "cloudevents", "slack", "teams"]
    sign_payloads: bool
    active: bool
    timeout_seconds: int
    inbound_webhook_id: Optional[str]
    client_id: Optional[str]
    include_own: bool
    headers: Dict[str, Literal["[hidden]"]]


class DeliverySummary(TypedDict):
    """Delivery without attempts and payload."""
    id: str
    webhook_id: str
    event: Literal["incident.created", "incident.updated", "incident.resolved", "incident.priority_changed", "change.submitted", "change.approved", "change.rejected", "request.submitted", "request.approved", "sla.breach_warning", "sla.breached", "ci.discovered", "incident.acknowledged", "incident.escalated", "problem.created", "problem.updated", "problem.resolved", "ping"]
    event_id: str
    status: Literal["pending", "retrying", "delivered", "failed", "cancelled"]
    attempts_made: int
    next_attempt_at: Optional[str]
    last_status: Optional[int]
    replay_of: Optional[str]
    created_at: str
    finished_at: Optional[str]


class DeliveryPage(TypedDict):
    """A page of deliveries."""
    data: List[DeliverySummary]
    next_cursor: NotRequired[str]
    total: int
    total_is_exact: bool


class Delivery(TypedDict):
    """Delivery of an event to a webhook."""
    id: str
    webhook_id: str
    event: Literal["incident.created", "incident.updated", "incident.resolved", "incident.priority_changed", "change.submitted", "change.approved", "change.rejected", "request.submitted", "request.approved", "sla.breach_warning", "sla.breached", "ci.discovered", "incident.acknowledged", "incident.escalated", "problem.created", "problem.updated", "problem.resolved", "ping"]
    event_id: str
    status: Literal["pending", "retrying", "delivered", "failed", "cancelled"]
    attempts_made: int
    next_attempt_at: Optional[str]
    last_status: Optional[int]
    replay_of: Optional[str]
    created_at: str
    finished_at: Optional[str]
    attempts: List[DeliveryAttempt]
    payload: Dict[str, Any]


class DeliveryAttempt(TypedDict):
    """Delivery attempt."""
    attempt: int
    at: str
    status: Optional[int]
    duration_ms: int
    error: Optional[str]
    response: Optional[str]


class RecoveryStarted(TypedDict):
    """Result of the recovery."""
    replayed: int
    more: bool


class DeliveryStatisticsPage(TypedDict):
    """A page of delivery statistics."""
    data: List[DeliveryStatistics]
    next_cursor: NotRequired[str]
    total: int


class DeliveryStatisticsLastError(TypedDict):
    at: str
    delivery_id: str
    status: Optional[int]
    error: str


class DeliveryStatistics(TypedDict):
    """Statistics of the latest 50 deliveries of a webhook, without cancelled ones."""
    webhook_id: str
    deliveries: int
    since: Optional[str]
    delivered: int
    failed: int
    open: int
    success_rate: Optional[float]
    median_ms: Optional[int]
    p95_ms: Optional[int]
    last_error: Optional[DeliveryStatisticsLastError]


class EventPage(TypedDict):
    """A page of the event feed."""
    data: List[Event]
    next_after: int
    next_before: NotRequired[int]
    latest: int


class Event(TypedDict):
    """Event in the feed."""
    sequence: int
    id: str
    version: int
    event: EventType
    timestamp: str
    service_instance: str
    data: EventData


EventDataChangesValue = TypedDict(
    "EventDataChangesValue",
    {
        "from": "Any",
        "to": "Any",
    },
)


class EventData(TypedDict):
    """Record data."""
    id: str
    url: str
    api_url: NotRequired[str]
    changes: NotRequired[Dict[str, EventDataChangesValue]]
    withheld: NotRequired[Literal["record_deleted"]]


class NotificationPage(TypedDict):
    """A page of notifications."""
    data: List[Notification]
    next_cursor: NotRequired[str]
    total: int
    unread: int


class Notification(TypedDict):
    """Notification."""
    id: str
    event: str
    created_at: str
    read: bool
    done: NotRequired[bool]


class ReadNotifications(TypedDict):
    """Read position of the caller."""
    read_until: str
    unread: int


class ContactMethods(TypedDict):
    """Contact methods of the caller."""
    contact_methods: List[ContactMethod]
    available_kinds: List[ContactKind]


class ContactMethodLastDelivery(TypedDict):
    at: str
    outcome: Literal["sent", "retrying", "failed"]
    error: Optional[str]


class ContactMethod(TypedDict):
    """A way to reach the caller."""
    kind: ContactKind
    address: str
    label: Optional[str]
    id: str
    is_account: bool
    is_verified: bool
    created_at: Optional[str]
    code_expires_at: Optional[str]
    last_delivery: Optional[ContactMethodLastDelivery]


class AcceptedMessage(TypedDict):
    """A message that is about to be sent."""
    message_id: str


class NotificationRulesIsDefault(TypedDict):
    """Rules that the caller has not set."""
    pages: bool
    notifications: bool
    topics: bool


class NotificationRules(TypedDict):
    """Rules by which the caller is reached."""
    pages: List[NotificationStep]
    notifications: List[NotificationStep]
    topics: List[Literal["assignments", "decisions", "notes", "mentions", "approvals", "sla", "incidents", "webhooks"]]
    is_default: NotificationRulesIsDefault


class Page(TypedDict):
    """Page of an incident."""
    id: str
    incident_id: str
    state: Literal["paging", "acknowledged", "ended", "exhausted", "unreachable", "held"]
    trigger: Literal["created", "priority_raised", "reassigned", "reopened", "acknowledgement_expired", "manual"]
    requested_by: str
    reason: Optional[str]
    target: PageTarget
    steps: List[EscalationStep]
    repeat: int
    step: int
    repetition: int
    next_step_at: Optional[str]
    people: List[PagedPerson]
    held_by: Optional[str]
    acknowledged_by: Optional[str]
    created_at: str
    ended_at: Optional[str]
    log: List[PageLogEntry]
    messages: List[PageMessage]


class PageTarget(TypedDict):
    """What is paged."""
    type: Literal["policy", "schedule", "person"]
    id: str
    name: str


class PagedPerson(TypedDict):
    """Person who was paged."""
    person: str
    via: str
    paged_at: str


class PageLogEntry(TypedDict):
    """Entry in the log of a page."""
    at: str
    kind: Literal["started", "paged", "skipped", "held", "acknowledged", "ended", "exhausted", "unreachable", "expired"]
    text: str


class PageMessage(TypedDict):
    """Attempt to reach a person."""
    at: str
    message_id: str
    to: str
    channel: Optional[Literal["email", "sms", "slack", "teams", "ntfy"]]
    address: Optional[str]
    outcome: Literal["sent", "retrying", "failed", "cancelled", "unreachable"]
    provider_message_id: Optional[str]
    error: Optional[str]


class PageList(TypedDict):
    """The pages of an incident."""
    data: List[Page]
    truncated: bool


class SuspectChangeList(TypedDict):
    """Changes that may have caused the incident."""
    data: List[SuspectChange]
    truncated: bool


class SuspectChangeChange(TypedDict):
    id: str
    short_description: str
    state: Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]
    planned_start: Optional[str]
    planned_end: Optional[str]
    updated_at: str


class SuspectChange(TypedDict):
    """Change that may have caused the incident."""
    change: SuspectChangeChange
    ci_id: str
    distance: int
    minutes_before: int
    score: float
    reason: str


class PagingLoad(TypedDict):
    """Pages per person and night."""
    data: List[PersonLoad]
    truncated: bool


class PersonLoad(TypedDict):
    """How often a person was paged."""
    person: str
    pages: int
    night_pages: int
    nights: List[PagedNight]


class PagedNight(TypedDict):
    """Night with pages."""
    night: str
    pages: int


class AnsweredQuestionCache(TypedDict):
    """Cache details."""
    matched: NotRequired[str]
    similarity: float
    age_seconds: int


class AnsweredQuestion(TypedDict):
    """Answer with its sources."""
    answer: str
    confidence: float
    citations: List[Citation]
    related: List[RelatedArticle]
    model_used: str
    tokens_used: int
    latency_ms: int
    cache_hit: bool
    cache: NotRequired[AnsweredQuestionCache]


class Citation(TypedDict):
    """Article that supports an answer."""
    article_id: str
    title: str
    relevance: float


class RelatedArticle(TypedDict):
    """Related article that may help."""
    article_id: str
    title: str
    relevance: float


class AnalysisCache(TypedDict):
    """Cache details."""
    matched: NotRequired[str]
    similarity: float
    age_seconds: int


class Analysis(TypedDict):
    """Findings about a record, supported by similar incidents."""
    record_id: str
    analysis_type: Literal["root_cause", "impact", "summary"]
    findings: Union[RootCauseFindings, ImpactFindings, SummaryFindings]
    confidence_basis: str
    related_articles: List[RelatedArticle]
    model_used: str
    tokens_used: int
    latency_ms: int
    cache_hit: bool
    cache: NotRequired[AnalysisCache]


class RootCauseFindings(TypedDict):
    """The probable root cause and the steps to resolve it."""
    probable_root_cause: str
    confidence: float
    resolution_steps: List[str]
    related_problem: Optional[str]
    similar_past_incidents: List[str]
    estimated_resolution_minutes: Optional[int]


class ImpactFindings(TypedDict):
    """The affected people and systems, and the risks."""
    impact: str
    confidence: float
    affected: List[str]
    risks: List[str]
    similar_past_incidents: List[str]


class SummaryFindings(TypedDict):
    """A summary of the record."""
    summary: str
    confidence: float
    key_points: List[str]
    open_questions: List[str]


class ExemplarsCache(TypedDict):
    """Cache details."""
    matched: NotRequired[str]
    similarity: float
    age_seconds: int


class Exemplars(TypedDict):
    """Similar incidents, most similar first."""
    exemplars: List[Exemplar]
    count: int
    model_used: str
    tokens_used: int
    latency_ms: int
    cache_hit: bool
    cache: NotRequired[ExemplarsCache]


class Exemplar(TypedDict):
    """Similar incident."""
    incident_id: str
    title: str
    description: str
    state: Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]
    resolution: str
    resolution_time_min: int
    similarity_score: float
    same_title_count: int
    reason: NotRequired[str]


class SuggestAnswerCache(TypedDict):
    """Cache details."""
    matched: NotRequired[str]
    similarity: float
    age_seconds: int


class SuggestAnswer(TypedDict):
    """Suggested field values."""
    suggestions: Suggestions
    model_used: str
    tokens_used: int
    latency_ms: int
    cache_hit: bool
    cache: NotRequired[SuggestAnswerCache]


class SuggestionsPriorityBasedOnItem(TypedDict):
    incident_id: str
    title: str


class SuggestionsPriorityAlternativesItemBasedOnItem(TypedDict):
    incident_id: str
    title: str


class SuggestionsPriorityAlternativesItem(TypedDict):
    value: Literal["P1", "P2", "P3", "P4"]
    confidence: float
    based_on: List[SuggestionsPriorityAlternativesItemBasedOnItem]


class SuggestionsPriority(TypedDict):
    value: Literal["P1", "P2", "P3", "P4"]
    confidence: float
    based_on: List[SuggestionsPriorityBasedOnItem]
    alternatives: List[SuggestionsPriorityAlternativesItem]
    reasoning: str


class Suggestions(TypedDict):
    """Suggested values."""
    category: NotRequired[Suggestion]
    subcategory: NotRequired[Suggestion]
    priority: NotRequired[SuggestionsPriority]
    assignment_group: NotRequired[Suggestion]


class SuggestionBasedOnItem(TypedDict):
    incident_id: str
    title: str


class SuggestionAlternativesItemBasedOnItem(TypedDict):
    incident_id: str
    title: str


class SuggestionAlternativesItem(TypedDict):
    value: str
    confidence: float
    based_on: List[SuggestionAlternativesItemBasedOnItem]


class Suggestion(TypedDict):
    """Value suggested from similar resolved incidents."""
    value: str
    confidence: float
    based_on: List[SuggestionBasedOnItem]
    alternatives: List[SuggestionAlternativesItem]


class QueryAnswerRecordsItem(TypedDict):
    type: str
    id: str
    title: str


class QueryAnswerToolsUsedItem(TypedDict):
    name: str
    input: Dict[str, Any]


class QueryAnswerCache(TypedDict):
    """Cache details."""
    matched: NotRequired[str]
    similarity: float
    age_seconds: int


class QueryAnswer(TypedDict):
    """Answer based on the records, with the tool calls made."""
    answer: str
    citations: List[Citation]
    records: List[QueryAnswerRecordsItem]
    lists: List[str]
    tools_used: List[QueryAnswerToolsUsedItem]
    conversation_id: str
    model_used: str
    tokens_used: int
    latency_ms: int
    cache_hit: bool
    cache: NotRequired[QueryAnswerCache]


class KnownErrors(TypedDict):
    """Known errors, most similar first."""
    known_errors: List[KnownError]


class KnownError(TypedDict):
    """Known error that an incident resembles."""
    problem_id: str
    short_description: str
    state: Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]
    root_cause: Optional[str]
    workaround: Optional[str]
    similarity_score: float
    reason: str


class ProblemCandidates(TypedDict):
    """Candidates for problems."""
    candidates: List[ProblemCandidate]
    examined: int
    total: int


class ProblemCandidate(TypedDict):
    """Similar incidents that no problem explains."""
    short_description: str
    incident_ids: List[str]
    count: int
    ci_id: Optional[str]
    assignment_group: Optional[str]
    category: Optional[str]
    first_at: str
    last_at: str
    reason: str


class AiStatistics(TypedDict):
    """Use of the AI cache."""
    hits: int
    misses: int
    hit_rate: Optional[float]
    days: List[AiStatisticsDay]


class AiStatisticsDay(TypedDict):
    """Use of the AI cache on one day."""
    date: str
    hits: int
    misses: int
    hit_rate: Optional[float]


class ArticlePage(TypedDict):
    """A page of articles."""
    data: List[Article]
    next_cursor: NotRequired[str]
    total: int


class Article(TypedDict):
    """Knowledge base article."""
    id: str
    created_by: str
    published_at: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str
    title: str
    body: str
    state: Literal["draft", "published"]
    category: Optional[str]
    tags: List[str]


class McpResponse(TypedDict):
    """JSON-RPC response with `result` or `error`."""
    jsonrpc: Literal["2.0"]


class SlaPolicyPage(TypedDict):
    """A page of SLA policies."""
    data: List[SlaPolicy]
    next_cursor: NotRequired[str]
    total: int


class SlaPolicy(TypedDict):
    """SLA policy."""
    id: str
    number: str
    name: str
    kind: Literal["incident", "request", "change"]
    resolve_minutes: int
    pause_states: List[str]
    warning_percent: int
    description: Optional[str]
    assignment_group: Optional[str]
    category: Optional[str]
    priority: Optional[Priority]
    acknowledge_minutes: Optional[int]
    calendar_id: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class SlaRecalculation(TypedDict):
    """Recalculation of open records after a change."""
    revision: int
    status: Literal["pending", "running", "completed"]
    started_at: Optional[str]
    finished_at: Optional[str]
    checked: int
    changed: int
    failed: int


class CalendarPage(TypedDict):
    """A page of calendars."""
    data: List[Calendar]
    next_cursor: NotRequired[str]
    total: int


class Calendar(TypedDict):
    """Open hours in which SLA targets count."""
    id: str
    number: str
    name: str
    time_zone: str
    hours: List[OpenHours]
    holidays: List[HolidayOutput]
    description: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class HolidayImportResultSkippedItem(TypedDict):
    name: str
    reason: str


class HolidayImportResult(TypedDict):
    """What an import of holidays changed."""
    calendar: Calendar
    added: int
    skipped: List[HolidayImportResultSkippedItem]


class SchedulePage(TypedDict):
    """A page of schedules."""
    data: List[Schedule]
    next_cursor: NotRequired[str]
    total: int


class Schedule(TypedDict):
    """On-call schedule."""
    id: str
    number: str
    name: str
    time_zone: str
    layers: List[ScheduleLayerOutput]
    description: Optional[str]
    calendar_key_created_at: Optional[str]
    deleted: bool
    created_at: str
    updated_at: str


class ShiftList(TypedDict):
    """Shifts of a schedule."""
    shifts: List[Shift]


class Shift(TypedDict):
    """Period with the same person on call."""
    starts_at: str
    ends_at: str
    person: Optional[str]
    source: Literal["layer", "override", "gap"]
    layer: Optional[int]
    override_id: Optional[str]


class OnCallList(TypedDict):
    """People on call."""
    at: str
    data: List[OnCallPerson]
    truncated: bool


class OnCallPerson(TypedDict):
    """Who is on call in a schedule."""
    schedule_id: str
    schedule_name: str
    time_zone: str
    person: Optional[str]
    until: Optional[str]
    next_person: Optional[str]


class OverrideList(TypedDict):
    """Overrides of a schedule."""
    overrides: List[Override]


class Override(TypedDict):
    """Period that a person takes over."""
    id: str
    person: str
    starts_at: str
    ends_at: str
    reason: Optional[str]
    created_by: str
    created_at: str


class SwapResult(TypedDict):
    """Overrides of a swap."""
    overrides: List[Override]


class CalendarKey(TypedDict):
    """Address of a calendar feed."""
    key: str
    url: str


class EscalationPolicyPage(TypedDict):
    """A page of escalation policies."""
    data: List[EscalationPolicy]
    next_cursor: NotRequired[str]
    total: int


class EscalationPolicy(TypedDict):
    """Escalation policy."""
    id: str
    number: str
    name: str
    steps: List[EscalationStep]
    repeat: int
    description: Optional[str]
    acknowledgement_expires_minutes: Optional[int]
    deleted: bool
    created_at: str
    updated_at: str


class GroupPagingList(TypedDict):
    """Paging settings of groups."""
    groups: List[GroupPaging]


class GroupPaging(TypedDict):
    """Paging settings of an assignment group."""
    group: str
    escalation_policy_id: Optional[str]
    priorities: List[Priority]
    updated_by: Optional[str]
    updated_at: Optional[str]


class SavedViewOutput(TypedDict):
    """Saved view of a list."""
    list: Literal["incidents", "changes", "requests", "cis", "articles"]
    name: str
    query: str
    pinned: bool


class SharedViewsOutput(TypedDict):
    """Views of lists that everyone sees."""
    views: List[SavedViewOutput]


class InboundRuleOutput(TypedDict):
    """Action for the events that match its conditions."""
    when: List[WebhookFilter]
    action: Literal["create_incident", "update_incident", "resolve_incident", "add_note"]
    field_mapping: Dict[str, str]


class HolidayOutput(TypedDict):
    """Day on which everything is closed."""
    date: str
    name: str
    yearly: bool


class ScheduleLayerOutput(TypedDict):
    """People who take turns in a schedule."""
    name: str
    people: List[str]
    shift_length: int
    shift_unit: Literal["hours", "days", "weeks"]
    handoff_time: str
    handoff_weekday: Optional[Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]]
    starts_on: str
    ends_on: Optional[str]
    restrictions: List[Restriction]


class IncidentImportNotesItem(TypedDict):
    """Work note with its author and time."""
    body: str
    visibility: NotRequired[Literal["team", "public", "private"]]
    attachments: NotRequired[List[AttachmentCreation]]
    id: NotRequired[str]
    author: NotRequired[str]
    created_at: NotRequired[str]


class IncidentImport(TypedDict):
    """Incident with its dates, notes and history."""
    id: NotRequired[str]
    external_id: NotRequired[Optional[str]]
    opened_by: NotRequired[str]
    created_at: NotRequired[str]
    updated_at: NotRequired[str]
    resolved_at: NotRequired[Optional[str]]
    closed_at: NotRequired[Optional[str]]
    notes: NotRequired[List[IncidentImportNotesItem]]
    history: NotRequired[List[ImportedChange]]
    short_description: str
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]]
    description: NotRequired[Optional[str]]
    category: NotRequired[Optional[str]]
    subcategory: NotRequired[Optional[str]]
    impact: NotRequired[Optional[Literal["high", "medium", "low"]]]
    urgency: NotRequired[Optional[Literal["high", "medium", "low"]]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]
    parent_problem_id: NotRequired[Optional[str]]
    change_id: NotRequired[Optional[str]]
    resolution: NotRequired[Optional[str]]
    acknowledged_at: NotRequired[Optional[str]]
    acknowledged_by: NotRequired[Optional[str]]
    reopen_count: NotRequired[int]


class ProblemImportNotesItem(TypedDict):
    """Work note with its author and time."""
    body: str
    visibility: NotRequired[Literal["team", "public", "private"]]
    attachments: NotRequired[List[AttachmentCreation]]
    id: NotRequired[str]
    author: NotRequired[str]
    created_at: NotRequired[str]


class ProblemImport(TypedDict):
    """Problem with its dates, notes and history."""
    id: NotRequired[str]
    external_id: NotRequired[Optional[str]]
    opened_by: NotRequired[str]
    created_at: NotRequired[str]
    updated_at: NotRequired[str]
    resolved_at: NotRequired[Optional[str]]
    closed_at: NotRequired[Optional[str]]
    notes: NotRequired[List[ProblemImportNotesItem]]
    history: NotRequired[List[ImportedChange]]
    short_description: str
    priority: NotRequired[Priority]
    state: NotRequired[Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]]
    known_error: NotRequired[bool]
    change_ids: NotRequired[List[str]]
    description: NotRequired[Optional[str]]
    assignment_group: NotRequired[Optional[str]]
    assigned_to: NotRequired[Optional[str]]
    root_cause: NotRequired[Optional[str]]
    workaround: NotRequired[Optional[str]]
    ci_id: NotRequired[Optional[str]]


#: The body of a webhook delivery. `event` determines the type of `data`.
WebhookEvent = Union[
    "IncidentCreatedPayload",
    "IncidentUpdatedPayload",
    "IncidentResolvedPayload",
    "IncidentPriorityChangedPayload",
    "ChangeSubmittedPayload",
    "ChangeApprovedPayload",
    "ChangeRejectedPayload",
    "RequestSubmittedPayload",
    "RequestApprovedPayload",
    "SlaBreachWarningPayload",
    "SlaBreachedPayload",
    "CiDiscoveredPayload",
    "IncidentAcknowledgedPayload",
    "IncidentEscalatedPayload",
    "ProblemCreatedPayload",
    "ProblemUpdatedPayload",
    "ProblemResolvedPayload",
    "PingPayload",
]
