"""One method for each operation of the API."""

# mypy: disable-error-code="no-any-return"
# Generated from the contract by tools/generate/client.ts.

from __future__ import annotations

from typing import Any, Literal, Optional, Sequence, Union

from .core import CallOptions, Page, ServiceCore, segment
from .types import (
    AcceptedMessage,
    AiStatistics,
    Analysis,
    AnalysisRequest,
    AnsweredQuestion,
    ApiDocument,
    ApiKey,
    ApiKeyCreation,
    Article,
    ArticleCreation,
    ArticleUpdate,
    AttachedFile,
    AttachedFileCreation,
    AuditEntry,
    BulkCiCreation,
    BulkCiDiscovery,
    BulkCiUpdate,
    BulkIncidentCreation,
    BulkIncidentImport,
    BulkIncidentResolution,
    BulkIncidentUpdate,
    BulkProblemCreation,
    BulkProblemImport,
    BulkProblemUpdate,
    Calendar,
    CalendarCreation,
    CalendarKey,
    CalendarPatch,
    Change,
    ChangeCalendar,
    ChangeCollisions,
    ChangeCreation,
    ChangePatch,
    ChangeStatistics,
    Ci,
    CiCreation,
    CiImpact,
    CiPatch,
    ContactMethod,
    ContactMethodCreation,
    ContactMethods,
    CreatedApiKey,
    CreatedFile,
    Decision,
    Delivery,
    DeliveryStatistics,
    DeliverySummary,
    DownloadableFile,
    EscalationPolicy,
    EscalationPolicyCreation,
    EscalationPolicyPatch,
    Event,
    Exemplars,
    ExemplarsRequest,
    GroupList,
    GroupPaging,
    GroupPagingList,
    GroupPagingUpdate,
    Health,
    HistoryEntry,
    HolidayImport,
    HolidayImportResult,
    InboundEvent,
    InboundEventSummary,
    InboundLabRequest,
    InboundLabResult,
    InboundPreviewRequest,
    InboundRejection,
    InboundWebhook,
    InboundWebhookCreation,
    InboundWebhookUpdate,
    Incident,
    IncidentCreation,
    IncidentReport,
    IncidentStatistics,
    IncidentUpdate,
    Job,
    JobAccepted,
    JobSummary,
    KnownErrors,
    Link,
    LinkCreation,
    LinkList,
    McpMessage,
    McpResponse,
    Notification,
    NotificationRules,
    NotificationRulesUpdate,
    NotificationSettings,
    OnCallList,
    OutboundWebhook,
    OutboundWebhookCreation,
    OutboundWebhookUpdate,
    Override,
    OverrideCreation,
    OverrideList,
    Page,
    PageCreation,
    PageList,
    PagingLoad,
    PersonList,
    Preferences,
    PreferencesPatch,
    ProblemCandidates,
    ProblemRecord,
    ProblemRecordCreation,
    ProblemRecordPatch,
    Profile,
    Proposal,
    ProposalCreation,
    Query,
    QueryAnswer,
    Question,
    ReadAllNotificationsRequest,
    ReadNotifications,
    ReceivedAnswer,
    RecordNote,
    Recovery,
    RecoveryStarted,
    RequestCatalog,
    RequestStatistics,
    Schedule,
    ScheduleCreation,
    SchedulePatch,
    ServiceRequest,
    ServiceRequestCreation,
    ServiceRequestPatch,
    SharedViews,
    SharedViewsOutput,
    ShiftList,
    ShiftSwap,
    Sla,
    SlaPolicy,
    SlaPolicyCreation,
    SlaPolicyPatch,
    SlaRecalculation,
    SuggestAnswer,
    SuggestRequest,
    SuspectChangeList,
    SwapResult,
    TimeOrDate,
    VerifyContactMethodRequest,
    WorkNote,
    WorkNoteCreation,
)


class Client(ServiceCore):
    api_root = "/prod/api/v1"

    def get_health(
        self,
        *,
        search: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Health:
        """Reads from the database and returns 503 if that fails."""
        return self._call("GET", "/health", query={"search": search}, options=options)

    def get_api_document(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> ApiDocument:
        """Returns the OpenAPI 3.1 document of this instance."""
        return self._call("GET", "/openapi.json", options=options)

    def get_me(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> Profile:
        """Returns the identity, roles and rate limits of the caller."""
        return self._call("GET", "/me", options=options)

    def get_preferences(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> Preferences:
        """Returns the caller's saved views, notification preferences and time zone."""
        return self._call("GET", "/me/preferences", options=options)

    def update_preferences(
        self,
        body: PreferencesPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Preferences:
        """Applies a JSON merge patch to the preferences of the caller."""
        return self._call("PATCH", "/me/preferences", headers={"If-Match": if_match}, body=body, options=options)

    def get_shared_views(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> SharedViewsOutput:
        """Returns the views of lists that managers share with everyone."""
        return self._call("GET", "/views", options=options)

    def update_shared_views(
        self,
        body: SharedViews,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> SharedViewsOutput:
        """Replaces the shared views."""
        return self._call("PATCH", "/views", headers={"If-Match": if_match}, body=body, options=options)

    def list_people(
        self,
        *,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> PersonList:
        """Lists the enabled people of the user pool with an email address, sorted by address."""
        return self._call("GET", "/directory/people", query={"q": q, "limit": limit}, options=options)

    def list_groups(
        self,
        *,
        q: Optional[str] = None,
        limit: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> GroupList:
        """Lists assignment groups, sorted by name: the groups of the user pool that are not roles, and the groups that incidents or changes named in the last 90 days."""
        return self._call("GET", "/directory/groups", query={"q": q, "limit": limit}, options=options)

    def list_api_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[ApiKey]:
        """Lists the caller's API keys, newest first."""
        return self._page("/api-keys", {"limit": limit, "cursor": cursor}, options)

    def create_api_key(
        self,
        body: ApiKeyCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> CreatedApiKey:
        """Creates an API key and returns its secret once."""
        return self._call("POST", "/api-keys", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def delete_api_key(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Revokes one of the caller's keys, or any key as `super_admin`."""
        self._call("DELETE", f"/api-keys/{segment(id)}", options=options)

    def list_audit(
        self,
        *,
        type: Optional[Sequence[Literal["sign_in.succeeded", "sign_in.failed", "api_key.created", "api_key.revoked", "webhook.created", "webhook.updated", "webhook_secret.rotated", "record.deleted", "group.created", "group.updated", "group.deleted", "group.member_added", "group.member_removed", "user.created", "user.updated", "user.enabled", "user.disabled", "user.deleted", "user.password_set", "user.password_reset", "user.signed_out", "client.created", "client.updated", "client.deleted", "federated_sign_in.succeeded", "federated_sign_in.rejected", "role.changed"]]] = None,
        actor: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[AuditEntry]:
        """Lists sign-ins, deletions and changes to API keys, webhooks, secrets, users, groups and clients in the last year, newest first."""
        return self._page("/audit", {"type": type, "actor": actor, "created_after": created_after, "created_before": created_before, "limit": limit, "cursor": cursor}, options)

    def list_incidents(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]]] = None,
        priority: Optional[Sequence[Literal["P1", "P2", "P3", "P4"]]] = None,
        assignment_group: Optional[str] = None,
        assigned_to: Optional[str] = None,
        category: Optional[str] = None,
        opened_by: Optional[Sequence[str]] = None,
        external_id: Optional[str] = None,
        ci_id: Optional[Sequence[str]] = None,
        parent_problem_id: Optional[Sequence[str]] = None,
        unassigned: Optional[bool] = None,
        missing: Optional[Sequence[Literal["assignment_group", "assigned_to", "category", "ci_id", "parent_problem_id", "acknowledged_at", "reopen_count"]]] = None,
        not_: Optional[str] = None,
        reopened: Optional[bool] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        min_age_hours: Optional[int] = None,
        max_age_hours: Optional[int] = None,
        resolved_after: Optional[TimeOrDate] = None,
        resolved_before: Optional[TimeOrDate] = None,
        acknowledged_after: Optional[TimeOrDate] = None,
        acknowledged_before: Optional[TimeOrDate] = None,
        sla_breach_after: Optional[TimeOrDate] = None,
        sla_breach_before: Optional[TimeOrDate] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "priority", "updated_at", "sla_breach_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Incident]:
        """Lists incidents that match all filters."""
        return self._page("/incidents", {"id": id, "state": state, "priority": priority, "assignment_group": assignment_group, "assigned_to": assigned_to, "category": category, "opened_by": opened_by, "external_id": external_id, "ci_id": ci_id, "parent_problem_id": parent_problem_id, "unassigned": unassigned, "missing": missing, "not": not_, "reopened": reopened, "sla": sla, "min_age_hours": min_age_hours, "max_age_hours": max_age_hours, "resolved_after": resolved_after, "resolved_before": resolved_before, "acknowledged_after": acknowledged_after, "acknowledged_before": acknowledged_before, "sla_breach_after": sla_breach_after, "sla_breach_before": sla_breach_before, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_incident(
        self,
        body: IncidentCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Incident:
        """Creates an incident."""
        return self._call("POST", "/incidents", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def report_incident(
        self,
        body: IncidentReport,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Incident:
        """Creates an incident from the report of a person."""
        return self._call("POST", "/incidents/reports", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_incident(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Incident:
        """Returns an incident."""
        return self._call("GET", f"/incidents/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_incident(
        self,
        id: str,
        body: IncidentUpdate,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Incident:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/incidents/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_incident(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes an incident."""
        self._call("DELETE", f"/incidents/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_incident_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of an incident, oldest first."""
        return self._page(f"/incidents/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def get_incident_sla(
        self,
        id: str,
        *,
        simulate: Optional[Literal["priority:P1", "priority:P2", "priority:P3", "priority:P4"]] = None,
        options: Optional[CallOptions] = None,
    ) -> Sla:
        """Returns the calculation of the SLA step by step: the policy, and the intervals in which the clock was running, paused or outside the open hours."""
        return self._call("GET", f"/incidents/{segment(id)}/sla", query={"simulate": simulate}, options=options)

    def get_incident_statistics(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]]] = None,
        priority: Optional[Sequence[Literal["P1", "P2", "P3", "P4"]]] = None,
        assignment_group: Optional[str] = None,
        assigned_to: Optional[str] = None,
        category: Optional[str] = None,
        opened_by: Optional[Sequence[str]] = None,
        external_id: Optional[str] = None,
        ci_id: Optional[Sequence[str]] = None,
        parent_problem_id: Optional[Sequence[str]] = None,
        unassigned: Optional[bool] = None,
        missing: Optional[Sequence[Literal["assignment_group", "assigned_to", "category", "ci_id", "parent_problem_id", "acknowledged_at", "reopen_count"]]] = None,
        not_: Optional[str] = None,
        reopened: Optional[bool] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        min_age_hours: Optional[int] = None,
        max_age_hours: Optional[int] = None,
        resolved_after: Optional[TimeOrDate] = None,
        resolved_before: Optional[TimeOrDate] = None,
        acknowledged_after: Optional[TimeOrDate] = None,
        acknowledged_before: Optional[TimeOrDate] = None,
        sla_breach_after: Optional[TimeOrDate] = None,
        sla_breach_before: Optional[TimeOrDate] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        group_by: Optional[Sequence[Literal["priority", "state", "assignment_group", "assigned_to", "category", "opened_by", "ci_id"]]] = None,
        sort: Optional[Literal["count", "resolved", "sla_attainment", "mean_time_to_resolve_minutes", "mean_time_to_acknowledge_minutes", "reopened"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        top: Optional[int] = None,
        median: Optional[bool] = None,
        interval: Optional[Literal["day", "week", "month"]] = None,
        days: Optional[int] = None,
        compare: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> IncidentStatistics:
        """Counts incidents exactly, with SLA attainment, mean and median times to acknowledge and to resolve, and reopenings."""
        return self._call("GET", "/incidents/statistics", query={"id": id, "state": state, "priority": priority, "assignment_group": assignment_group, "assigned_to": assigned_to, "category": category, "opened_by": opened_by, "external_id": external_id, "ci_id": ci_id, "parent_problem_id": parent_problem_id, "unassigned": unassigned, "missing": missing, "not": not_, "reopened": reopened, "sla": sla, "min_age_hours": min_age_hours, "max_age_hours": max_age_hours, "resolved_after": resolved_after, "resolved_before": resolved_before, "acknowledged_after": acknowledged_after, "acknowledged_before": acknowledged_before, "sla_breach_after": sla_breach_after, "sla_breach_before": sla_breach_before, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "group_by": group_by, "sort": sort, "order": order, "top": top, "median": median, "interval": interval, "days": days, "compare": compare}, options=options)

    def get_change_statistics(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]]] = None,
        type: Optional[Sequence[Literal["standard", "normal", "emergency"]]] = None,
        risk: Optional[Sequence[Literal["low", "medium", "high"]]] = None,
        assignment_group: Optional[str] = None,
        assigned_to: Optional[str] = None,
        requested_by: Optional[str] = None,
        ci_ids: Optional[Sequence[str]] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        missing: Optional[Sequence[Literal["assignment_group", "assigned_to"]]] = None,
        not_: Optional[str] = None,
        planned_after: Optional[TimeOrDate] = None,
        planned_before: Optional[TimeOrDate] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        group_by: Optional[Sequence[Literal["state", "type", "risk", "assignment_group", "assigned_to", "requested_by"]]] = None,
        sort: Optional[Literal["count", "resolved", "sla_attainment", "mean_time_to_resolve_minutes"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        top: Optional[int] = None,
        median: Optional[bool] = None,
        interval: Optional[Literal["day", "week", "month"]] = None,
        days: Optional[int] = None,
        compare: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ChangeStatistics:
        """Counts changes exactly, with mean and median times until they are completed (the last update of a completed change)."""
        return self._call("GET", "/changes/statistics", query={"id": id, "state": state, "type": type, "risk": risk, "assignment_group": assignment_group, "assigned_to": assigned_to, "requested_by": requested_by, "ci_ids": ci_ids, "sla": sla, "missing": missing, "not": not_, "planned_after": planned_after, "planned_before": planned_before, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "group_by": group_by, "sort": sort, "order": order, "top": top, "median": median, "interval": interval, "days": days, "compare": compare}, options=options)

    def get_request_statistics(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["submitted", "approved", "rejected", "fulfilled", "cancelled"]]] = None,
        item: Optional[str] = None,
        requested_for: Optional[str] = None,
        requested_by: Optional[str] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        missing: Optional[Sequence[Literal["item", "requested_for"]]] = None,
        not_: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        group_by: Optional[Sequence[Literal["state", "item", "requested_for", "requested_by"]]] = None,
        sort: Optional[Literal["count", "resolved", "sla_attainment", "mean_time_to_resolve_minutes"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        top: Optional[int] = None,
        median: Optional[bool] = None,
        interval: Optional[Literal["day", "week", "month"]] = None,
        days: Optional[int] = None,
        compare: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> RequestStatistics:
        """Counts requests exactly, with mean and median times until they are fulfilled (the last update of a fulfilled request)."""
        return self._call("GET", "/requests/statistics", query={"id": id, "state": state, "item": item, "requested_for": requested_for, "requested_by": requested_by, "sla": sla, "missing": missing, "not": not_, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "group_by": group_by, "sort": sort, "order": order, "top": top, "median": median, "interval": interval, "days": days, "compare": compare}, options=options)

    def list_work_notes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[WorkNote]:
        """Lists the work notes, oldest first."""
        return self._page(f"/incidents/{segment(id)}/notes", {"limit": limit, "cursor": cursor}, options)

    def create_work_note(
        self,
        id: str,
        body: WorkNoteCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> WorkNote:
        """Adds a work note."""
        return self._call("POST", f"/incidents/{segment(id)}/notes", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def create_attachment(
        self,
        body: AttachedFileCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> CreatedFile:
        """Returns a presigned request for a file of at most 10 MB."""
        return self._call("POST", "/attachments", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def complete_attachment(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> AttachedFile:
        """Compares the content of the uploaded file with its media type, and makes it available."""
        return self._call("POST", f"/attachments/{segment(id)}/complete", options=options)

    def get_attachment(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> DownloadableFile:
        """Returns the file with a URL to download it."""
        return self._call("GET", f"/attachments/{segment(id)}", options=options)

    def delete_attachment(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes the file."""
        self._call("DELETE", f"/attachments/{segment(id)}", options=options)

    def list_problems(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["new", "assessed", "root_cause_known", "fix_in_progress", "resolved", "closed", "cancelled"]]] = None,
        priority: Optional[Sequence[Literal["P1", "P2", "P3", "P4"]]] = None,
        known_error: Optional[bool] = None,
        assignment_group: Optional[str] = None,
        assigned_to: Optional[str] = None,
        opened_by: Optional[str] = None,
        ci_id: Optional[Sequence[str]] = None,
        change_ids: Optional[Sequence[str]] = None,
        missing: Optional[Sequence[Literal["assignment_group", "assigned_to", "ci_id"]]] = None,
        not_: Optional[str] = None,
        resolved_after: Optional[TimeOrDate] = None,
        resolved_before: Optional[TimeOrDate] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at", "priority"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[ProblemRecord]:
        """Lists problems that match all filters."""
        return self._page("/problems", {"id": id, "state": state, "priority": priority, "known_error": known_error, "assignment_group": assignment_group, "assigned_to": assigned_to, "opened_by": opened_by, "ci_id": ci_id, "change_ids": change_ids, "missing": missing, "not": not_, "resolved_after": resolved_after, "resolved_before": resolved_before, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_problem(
        self,
        body: ProblemRecordCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ProblemRecord:
        """Creates a problem."""
        return self._call("POST", "/problems", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_problem(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ProblemRecord:
        """Returns a problem."""
        return self._call("GET", f"/problems/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_problem(
        self,
        id: str,
        body: ProblemRecordPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ProblemRecord:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/problems/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_problem(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a problem."""
        self._call("DELETE", f"/problems/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_problem_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a problem, oldest first."""
        return self._page(f"/problems/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def list_problem_notes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[RecordNote]:
        """Lists the notes, oldest first."""
        return self._page(f"/problems/{segment(id)}/notes", {"limit": limit, "cursor": cursor}, options)

    def create_problem_note(
        self,
        id: str,
        body: WorkNoteCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> RecordNote:
        """Adds a note."""
        return self._call("POST", f"/problems/{segment(id)}/notes", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def list_problem_incidents(
        self,
        id: str,
        *,
        state: Optional[Sequence[Literal["new", "in_progress", "on_hold", "resolved", "closed", "cancelled", "reopened"]]] = None,
        sort: Optional[Literal["created_at", "priority", "updated_at", "sla_breach_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Incident]:
        """Lists the incidents whose `parent_problem_id` is the problem."""
        return self._page(f"/problems/{segment(id)}/incidents", {"state": state, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def get_incident_links(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> LinkList:
        """Lists the links of an incident, oldest first; a record has at most 100."""
        return self._call("GET", f"/incidents/{segment(id)}/links", options=options)

    def create_incident_link(
        self,
        id: str,
        body: LinkCreation,
        *,
        options: Optional[CallOptions] = None,
    ) -> Link:
        """Links the incident; the other record shows the link from its side, where `duplicate_of` is `duplicated_by`, `caused_by` is `causes`, `related_to` is `related_to`."""
        return self._call("POST", f"/incidents/{segment(id)}/links", body=body, options=options)

    def get_problem_links(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> LinkList:
        """Lists the links of a problem, oldest first; a record has at most 100."""
        return self._call("GET", f"/problems/{segment(id)}/links", options=options)

    def get_change_links(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> LinkList:
        """Lists the links of a change, oldest first; a record has at most 100."""
        return self._call("GET", f"/changes/{segment(id)}/links", options=options)

    def delete_incident_link(
        self,
        id: str,
        record_id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Removes the link between the two records."""
        self._call("DELETE", f"/incidents/{segment(id)}/links/{segment(record_id)}", options=options)

    def list_cis(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        name: Optional[str] = None,
        class_: Optional[str] = None,
        status: Optional[Sequence[Literal["operational", "degraded", "down", "retired"]]] = None,
        environment: Optional[str] = None,
        owner: Optional[str] = None,
        location: Optional[str] = None,
        ip_address: Optional[str] = None,
        depends_on: Optional[Sequence[str]] = None,
        needed_by: Optional[Sequence[str]] = None,
        transitive: Optional[bool] = None,
        missing: Optional[Sequence[Literal["class", "environment", "owner", "location", "ip_address"]]] = None,
        not_: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at", "status"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Ci]:
        """Lists configuration items that match all filters."""
        return self._page("/cmdb/cis", {"id": id, "name": name, "class": class_, "status": status, "environment": environment, "owner": owner, "location": location, "ip_address": ip_address, "depends_on": depends_on, "needed_by": needed_by, "transitive": transitive, "missing": missing, "not": not_, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_ci(
        self,
        body: CiCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Ci:
        """Creates a configuration item."""
        return self._call("POST", "/cmdb/cis", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_ci(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Ci:
        """Returns a configuration item."""
        return self._call("GET", f"/cmdb/cis/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_ci(
        self,
        id: str,
        body: CiPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Ci:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/cmdb/cis/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_ci(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a configuration item."""
        self._call("DELETE", f"/cmdb/cis/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_ci_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a configuration item, oldest first."""
        return self._page(f"/cmdb/cis/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def get_ci_impact(
        self,
        id: str,
        *,
        depth: Optional[int] = None,
        limit: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> CiImpact:
        """Returns the items that depend on it, directly or indirectly, nearest first, and its open incidents."""
        return self._call("GET", f"/cmdb/cis/{segment(id)}/impact", query={"depth": depth, "limit": limit}, options=options)

    def list_changes(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["draft", "submitted", "approved", "rejected", "implementing", "completed", "cancelled"]]] = None,
        type: Optional[Sequence[Literal["standard", "normal", "emergency"]]] = None,
        risk: Optional[Sequence[Literal["low", "medium", "high"]]] = None,
        assignment_group: Optional[str] = None,
        assigned_to: Optional[str] = None,
        requested_by: Optional[str] = None,
        ci_ids: Optional[Sequence[str]] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        missing: Optional[Sequence[Literal["assignment_group", "assigned_to"]]] = None,
        not_: Optional[str] = None,
        planned_after: Optional[TimeOrDate] = None,
        planned_before: Optional[TimeOrDate] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at", "planned_start", "risk", "sla_breach_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Change]:
        """Lists changes that match all filters."""
        return self._page("/changes", {"id": id, "state": state, "type": type, "risk": risk, "assignment_group": assignment_group, "assigned_to": assigned_to, "requested_by": requested_by, "ci_ids": ci_ids, "sla": sla, "missing": missing, "not": not_, "planned_after": planned_after, "planned_before": planned_before, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_change(
        self,
        body: ChangeCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Change:
        """Creates a change and submits it for approval unless `state` is `draft`."""
        return self._call("POST", "/changes", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_change_calendar(
        self,
        *,
        from_: TimeOrDate,
        to: TimeOrDate,
        options: Optional[CallOptions] = None,
    ) -> ChangeCalendar:
        """Returns the changes whose planned window overlaps the time range, ordered by planned start, except rejected and cancelled ones."""
        return self._call("GET", "/changes/calendar", query={"from": from_, "to": to}, options=options)

    def get_change_collisions(
        self,
        *,
        from_: TimeOrDate,
        to: TimeOrDate,
        ci_ids: Sequence[str],
        change_id: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ChangeCollisions:
        """Lists the pending changes that overlap a time window and affect the same configuration items or dependencies of them, ordered by planned start."""
        return self._call("GET", "/changes/collisions", query={"from": from_, "to": to, "ci_ids": ci_ids, "change_id": change_id}, options=options)

    def get_change(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Change:
        """Returns a change."""
        return self._call("GET", f"/changes/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_change(
        self,
        id: str,
        body: ChangePatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Change:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/changes/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_change(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a change."""
        self._call("DELETE", f"/changes/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def approve_change(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Change:
        """Callers cannot decide on their own records, except with the role `super_admin`."""
        return self._call("POST", f"/changes/{segment(id)}/approve", headers={"If-Match": if_match}, body=body, options=options)

    def reject_change(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Change:
        """Callers cannot decide on their own records, except with the role `super_admin`."""
        return self._call("POST", f"/changes/{segment(id)}/reject", headers={"If-Match": if_match}, body=body, options=options)

    def list_change_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a change, oldest first."""
        return self._page(f"/changes/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def list_change_notes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[RecordNote]:
        """Lists the notes, oldest first."""
        return self._page(f"/changes/{segment(id)}/notes", {"limit": limit, "cursor": cursor}, options)

    def create_change_note(
        self,
        id: str,
        body: WorkNoteCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> RecordNote:
        """Adds a note."""
        return self._call("POST", f"/changes/{segment(id)}/notes", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def list_requests(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        state: Optional[Sequence[Literal["submitted", "approved", "rejected", "fulfilled", "cancelled"]]] = None,
        item: Optional[str] = None,
        requested_for: Optional[str] = None,
        requested_by: Optional[str] = None,
        sla: Optional[Sequence[Literal["breached", "due_soon", "at_risk", "on_track", "kept"]]] = None,
        missing: Optional[Sequence[Literal["item", "requested_for"]]] = None,
        not_: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at", "sla_breach_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[ServiceRequest]:
        """Lists service requests that match all filters."""
        return self._page("/requests", {"id": id, "state": state, "item": item, "requested_for": requested_for, "requested_by": requested_by, "sla": sla, "missing": missing, "not": not_, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_request(
        self,
        body: ServiceRequestCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ServiceRequest:
        """Creates a service request and submits it for approval."""
        return self._call("POST", "/requests", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_request_catalog(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> RequestCatalog:
        """Returns the items that this deployment offers, in the order of its configuration."""
        return self._call("GET", "/requests/catalog", options=options)

    def get_request(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ServiceRequest:
        """Returns a service request."""
        return self._call("GET", f"/requests/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_request(
        self,
        id: str,
        body: ServiceRequestPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ServiceRequest:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/requests/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_request(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a service request."""
        self._call("DELETE", f"/requests/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def approve_request(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ServiceRequest:
        """Callers cannot decide on their own records, except with the role `super_admin`."""
        return self._call("POST", f"/requests/{segment(id)}/approve", headers={"If-Match": if_match}, body=body, options=options)

    def reject_request(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ServiceRequest:
        """Callers cannot decide on their own records, except with the role `super_admin`."""
        return self._call("POST", f"/requests/{segment(id)}/reject", headers={"If-Match": if_match}, body=body, options=options)

    def list_request_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a service request, oldest first."""
        return self._page(f"/requests/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def list_request_notes(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[RecordNote]:
        """Lists the notes, oldest first."""
        return self._page(f"/requests/{segment(id)}/notes", {"limit": limit, "cursor": cursor}, options)

    def create_request_note(
        self,
        id: str,
        body: WorkNoteCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> RecordNote:
        """Adds a note."""
        return self._call("POST", f"/requests/{segment(id)}/notes", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def list_proposals(
        self,
        *,
        state: Optional[Sequence[Literal["pending", "approved", "rejected", "applied", "failed"]]] = None,
        operation: Optional[Sequence[Literal["createIncident", "updateIncident", "createCi", "updateCi"]]] = None,
        record_id: Optional[str] = None,
        requested_by: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Proposal]:
        """Lists proposals that match all filters."""
        return self._page("/proposals", {"state": state, "operation": operation, "record_id": record_id, "requested_by": requested_by, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_proposal(
        self,
        body: ProposalCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Proposal:
        """Stores a change that somebody else approves."""
        return self._call("POST", "/proposals", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_proposal(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Proposal:
        """Returns a proposal."""
        return self._call("GET", f"/proposals/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def approve_proposal(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Proposal:
        """Applies the proposal once, as a request of the approver, who needs the role of the operation and must not be the proposer, except with the role `super_admin`."""
        return self._call("POST", f"/proposals/{segment(id)}/approve", headers={"If-Match": if_match}, body=body, options=options)

    def reject_proposal(
        self,
        id: str,
        body: Optional[Decision] = None,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Proposal:
        """Rejects the proposal."""
        return self._call("POST", f"/proposals/{segment(id)}/reject", headers={"If-Match": if_match}, body=body, options=options)

    def list_proposal_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a proposal, oldest first."""
        return self._page(f"/proposals/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def bulk_incidents(
        self,
        body: Union[BulkIncidentUpdate, BulkIncidentResolution, BulkIncidentCreation, BulkIncidentImport],
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> JobAccepted:
        """Starts a job that processes the records one by one with the role the caller has now."""
        return self._call("POST", "/incidents/bulk", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def bulk_problems(
        self,
        body: Union[BulkProblemUpdate, BulkProblemCreation, BulkProblemImport],
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> JobAccepted:
        """Starts a job that processes the records one by one with the role the caller has now."""
        return self._call("POST", "/problems/bulk", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def bulk_cis(
        self,
        body: Union[BulkCiUpdate, BulkCiCreation, BulkCiDiscovery],
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> JobAccepted:
        """Starts a job that processes the records."""
        return self._call("POST", "/cmdb/cis/bulk", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def list_jobs(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[JobSummary]:
        """Lists the caller's jobs of the last 30 days, newest first."""
        return self._page("/jobs", {"limit": limit, "cursor": cursor}, options)

    def get_job(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Job:
        """Returns a job with the result of each record."""
        return self._call("GET", f"/jobs/{segment(id)}", options=options)

    def list_inbound_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[InboundWebhook]:
        """Lists inbound webhooks, newest first."""
        return self._page("/webhooks/inbound", {"limit": limit, "cursor": cursor}, options)

    def create_inbound_webhook(
        self,
        body: InboundWebhookCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> InboundWebhook:
        """Creates an inbound webhook."""
        return self._call("POST", "/webhooks/inbound", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_inbound_webhook(
        self,
        id: str,
        *,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> InboundWebhook:
        """Returns the webhook without its secret."""
        return self._call("GET", f"/webhooks/inbound/{segment(id)}", headers={"If-None-Match": if_none_match}, options=options)

    def update_inbound_webhook(
        self,
        id: str,
        body: InboundWebhookUpdate,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> InboundWebhook:
        """Applies a JSON merge patch."""
        return self._call("PATCH", f"/webhooks/inbound/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_inbound_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes the webhook."""
        self._call("DELETE", f"/webhooks/inbound/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def receive_inbound_event(
        self,
        id: str,
        body: Any,
        *,
        x_service_signature: Optional[str] = None,
        x_hub_signature_256: Optional[str] = None,
        webhook_id: Optional[str] = None,
        webhook_timestamp: Optional[str] = None,
        webhook_signature: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ReceivedAnswer:
        """Receives an event from another system."""
        return self._call("POST", f"/webhooks/inbound/{segment(id)}", headers={"X-Service-Signature": x_service_signature, "X-Hub-Signature-256": x_hub_signature_256, "webhook-id": webhook_id, "webhook-timestamp": webhook_timestamp, "webhook-signature": webhook_signature, "Idempotency-Key": idempotency_key}, body=body, options=options)

    def rotate_inbound_secret(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> InboundWebhook:
        """Replaces the secret."""
        return self._call("POST", f"/webhooks/inbound/{segment(id)}/rotate-secret", options=options)

    def test_inbound_webhook(
        self,
        id: str,
        body: InboundLabRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> InboundLabResult:
        """Evaluates filters and templates for a payload without writing anything."""
        return self._call("POST", f"/webhooks/inbound/{segment(id)}/test", body=body, options=options)

    def preview_inbound_webhook(
        self,
        body: InboundPreviewRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> InboundLabResult:
        """Evaluates filters and templates for a payload before the webhook exists, without writing anything."""
        return self._call("POST", "/webhooks/inbound/test", body=body, options=options)

    def list_inbound_events(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[InboundEventSummary]:
        """Lists the events of the last 30 days, newest first, without payloads."""
        return self._page(f"/webhooks/inbound/{segment(id)}/events", {"limit": limit, "cursor": cursor}, options)

    def get_inbound_event(
        self,
        id: str,
        event_id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> InboundEvent:
        """Returns a received event with its payload."""
        return self._call("GET", f"/webhooks/inbound/{segment(id)}/events/{segment(event_id)}", options=options)

    def replay_inbound_event(
        self,
        id: str,
        event_id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> ReceivedAnswer:
        """Processes the event again with the current settings of the webhook."""
        return self._call("POST", f"/webhooks/inbound/{segment(id)}/events/{segment(event_id)}/replay", headers={"Idempotency-Key": idempotency_key}, options=options)

    def list_inbound_rejections(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Page[InboundRejection]:
        """Lists the last 20 rejected calls, newest first."""
        return self._page(f"/webhooks/inbound/{segment(id)}/rejections", {}, options)

    def list_outbound_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[OutboundWebhook]:
        """Lists outbound webhooks, newest first."""
        return self._page("/webhooks/outbound", {"limit": limit, "cursor": cursor}, options)

    def create_outbound_webhook(
        self,
        body: OutboundWebhookCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> OutboundWebhook:
        """Creates an outbound webhook owned by the caller."""
        return self._call("POST", "/webhooks/outbound", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_outbound_webhook(
        self,
        id: str,
        *,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> OutboundWebhook:
        """Returns the webhook without its secret and header values."""
        return self._call("GET", f"/webhooks/outbound/{segment(id)}", headers={"If-None-Match": if_none_match}, options=options)

    def update_outbound_webhook(
        self,
        id: str,
        body: OutboundWebhookUpdate,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> OutboundWebhook:
        """Applies a JSON merge patch."""
        return self._call("PATCH", f"/webhooks/outbound/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_outbound_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes the webhook and cancels pending deliveries."""
        self._call("DELETE", f"/webhooks/outbound/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def rotate_outbound_secret(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> OutboundWebhook:
        """Replaces the secret and returns the new one once."""
        return self._call("POST", f"/webhooks/outbound/{segment(id)}/rotate-secret", options=options)

    def test_outbound_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> DeliverySummary:
        """Sends a signed `ping` event with all configured headers, even if the webhook is inactive."""
        return self._call("POST", f"/webhooks/outbound/{segment(id)}/test", headers={"Idempotency-Key": idempotency_key}, options=options)

    def list_deliveries(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "retrying", "delivered", "failed", "cancelled"]] = None,
        event: Optional[Literal["incident.created", "incident.updated", "incident.resolved", "incident.priority_changed", "change.submitted", "change.approved", "change.rejected", "request.submitted", "request.approved", "sla.breach_warning", "sla.breached", "ci.discovered", "incident.acknowledged", "incident.escalated", "problem.created", "problem.updated", "problem.resolved", "ping"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[DeliverySummary]:
        """Lists the deliveries of the last 30 days, newest first."""
        return self._page(f"/webhooks/outbound/{segment(id)}/deliveries", {"status": status, "event": event, "limit": limit, "cursor": cursor}, options)

    def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Delivery:
        """Returns the delivery with its payload and all attempts."""
        return self._call("GET", f"/webhooks/outbound/{segment(id)}/deliveries/{segment(delivery_id)}", options=options)

    def replay_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> DeliverySummary:
        """Creates a delivery with the same body and the same `webhook-id`, regardless of the status of the original."""
        return self._call("POST", f"/webhooks/outbound/{segment(id)}/deliveries/{segment(delivery_id)}/replay", headers={"Idempotency-Key": idempotency_key}, options=options)

    def recover_deliveries(
        self,
        id: str,
        body: Recovery,
        *,
        options: Optional[CallOptions] = None,
    ) -> RecoveryStarted:
        """Creates a delivery for every event whose deliveries since the given time all failed."""
        return self._call("POST", f"/webhooks/outbound/{segment(id)}/recover", body=body, options=options)

    def list_delivery_statistics(
        self,
        *,
        webhook_id: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[DeliveryStatistics]:
        """Success rate, latency and last error of each outbound webhook, newest webhook first, from its latest 50 deliveries."""
        return self._page("/webhooks/outbound/statistics", {"webhook_id": webhook_id, "limit": limit, "cursor": cursor}, options)

    def list_events(
        self,
        *,
        after: Optional[int] = None,
        before: Optional[int] = None,
        type: Optional[Sequence[Literal["incident.created", "incident.updated", "incident.resolved", "incident.priority_changed", "change.submitted", "change.approved", "change.rejected", "request.submitted", "request.approved", "sla.breach_warning", "sla.breached", "ci.discovered", "incident.acknowledged", "incident.escalated", "problem.created", "problem.updated", "problem.resolved"]]] = None,
        record_id: Optional[str] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Event]:
        """Lists the events of the last 30 days, oldest first."""
        return self._page("/events", {"after": after, "before": before, "type": type, "record_id": record_id, "order": order, "limit": limit}, options)

    def list_notifications(
        self,
        *,
        group: Optional[str] = None,
        unread: Optional[bool] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Notification]:
        """Lists the notifications of the last 30 days, newest first: those for the caller, for the caller's roles and for the groups the caller follows."""
        return self._page("/notifications", {"group": group, "unread": unread, "limit": limit, "cursor": cursor}, options)

    def read_notification(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Notification:
        """Marks the notification as read for the caller only."""
        return self._call("POST", f"/notifications/{segment(id)}/read", options=options)

    def read_all_notifications(
        self,
        body: ReadAllNotificationsRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> ReadNotifications:
        """Marks all notifications up to a given time as read."""
        return self._call("POST", "/notifications/read", body=body, options=options)

    def get_notification_settings(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> NotificationSettings:
        """Returns the groups the caller follows."""
        return self._call("GET", "/notifications/settings", options=options)

    def update_notification_settings(
        self,
        body: NotificationSettings,
        *,
        options: Optional[CallOptions] = None,
    ) -> NotificationSettings:
        """Replaces the groups the caller follows."""
        return self._call("PATCH", "/notifications/settings", body=body, options=options)

    def get_contact_methods(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> ContactMethods:
        """Returns the caller's contact methods, that of the account first."""
        return self._call("GET", "/me/contact-methods", options=options)

    def create_contact_method(
        self,
        body: ContactMethodCreation,
        *,
        options: Optional[CallOptions] = None,
    ) -> ContactMethod:
        """Adds an e-mail address, a phone number or a personal webhook."""
        return self._call("POST", "/me/contact-methods", body=body, options=options)

    def delete_contact_method(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a contact method."""
        self._call("DELETE", f"/me/contact-methods/{segment(id)}", options=options)

    def verify_contact_method(
        self,
        id: str,
        body: VerifyContactMethodRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> ContactMethod:
        """Proves with the code that the caller receives what is sent there."""
        return self._call("POST", f"/me/contact-methods/{segment(id)}/verify", body=body, options=options)

    def send_contact_code(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> ContactMethod:
        """Sends a new verification code, which replaces the last one."""
        return self._call("POST", f"/me/contact-methods/{segment(id)}/code", options=options)

    def test_contact_method(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> AcceptedMessage:
        """Sends a test message through one verified contact method."""
        return self._call("POST", f"/me/contact-methods/{segment(id)}/test", options=options)

    def get_notification_rules(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> NotificationRules:
        """Returns the rules in force."""
        return self._call("GET", "/me/notification-rules", options=options)

    def update_notification_rules(
        self,
        body: NotificationRulesUpdate,
        *,
        options: Optional[CallOptions] = None,
    ) -> NotificationRules:
        """Replaces the rules."""
        return self._call("PUT", "/me/notification-rules", body=body, options=options)

    def test_notification_rules(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> AcceptedMessage:
        """Sends a test page to the caller by the rules for pages, with all steps."""
        return self._call("POST", "/me/notification-rules/test", options=options)

    def acknowledge_incident(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> Incident:
        """Sets `acknowledged_at` and `acknowledged_by`, moves a new incident to `in_progress` and ends its pages: nobody else is paged."""
        return self._call("POST", f"/incidents/{segment(id)}/acknowledge", options=options)

    def create_page(
        self,
        id: str,
        body: PageCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page:
        """Pages a policy, the person on call of a schedule, or a person, in addition to the pages that run already."""
        return self._call("POST", f"/incidents/{segment(id)}/pages", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_pages(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> PageList:
        """Lists the last 50 pages with their steps, messages, failures and answers, newest first."""
        return self._call("GET", f"/incidents/{segment(id)}/pages", options=options)

    def get_suspect_changes(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> SuspectChangeList:
        """Lists changes of the last seven days before the incident on its configuration item or on items that it depends on, most suspect first, at most 20."""
        return self._call("GET", f"/incidents/{segment(id)}/suspect-changes", options=options)

    def get_paging_load(
        self,
        *,
        from_: str,
        to: str,
        time_zone: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> PagingLoad:
        """Counts the pages that reached each person, by day and by night (22:00 to 07:00), most disturbed first."""
        return self._call("GET", "/on-call/load", query={"from": from_, "to": to, "time_zone": time_zone}, options=options)

    def show_acknowledgement(
        self,
        *,
        t: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> str:
        """Shows the incident, the person who is asked, and a button."""
        return self._call("GET", "/acknowledge", query={"t": t}, options=options)

    def acknowledge_by_link(
        self,
        *,
        t: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> str:
        """Acknowledges the incident on behalf of the person whom the message was sent to, and ends its pages."""
        return self._call("POST", "/acknowledge", query={"t": t}, options=options)

    def ask_question(
        self,
        body: Question,
        *,
        options: Optional[CallOptions] = None,
    ) -> AnsweredQuestion:
        """Answers a question from published articles, with citations and a `confidence`."""
        return self._call("POST", "/ai/ask", body=body, options=options)

    def analyze_record(
        self,
        body: AnalysisRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> Analysis:
        """Analyzes a record using similar resolved incidents and the knowledge base."""
        return self._call("POST", "/ai/analyze", body=body, options=options)

    def find_exemplars(
        self,
        body: ExemplarsRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> Exemplars:
        """Returns the most similar incidents with their resolution and resolution time, without OpenSearch among the 120,000 that were created or changed last."""
        return self._call("POST", "/ai/exemplars", body=body, options=options)

    def suggest_fields(
        self,
        body: SuggestRequest,
        *,
        options: Optional[CallOptions] = None,
    ) -> SuggestAnswer:
        """Suggests field values from similar resolved incidents, without OpenSearch among the 120,000 that were created or changed last, with alternatives."""
        return self._call("POST", "/ai/suggest", body=body, options=options)

    def query_records(
        self,
        body: Query,
        *,
        options: Optional[CallOptions] = None,
    ) -> QueryAnswer:
        """A copilot with tools that only read: incidents, changes, requests, configuration items, knowledge, people on call and, for managers, webhooks."""
        return self._call("POST", "/ai/query", body=body, options=options)

    def get_known_errors(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> KnownErrors:
        """Lists up to three open known errors whose description, or one of whose incidents, resembles the incident."""
        return self._call("GET", f"/incidents/{segment(id)}/known-errors", options=options)

    def find_problem_candidates(
        self,
        *,
        days: Optional[int] = None,
        min_incidents: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> ProblemCandidates:
        """Groups similar incidents of the last days that have no `parent_problem_id` and no link to a problem, largest group first."""
        return self._call("GET", "/problems/candidates", query={"days": days, "min_incidents": min_incidents}, options=options)

    def get_ai_statistics(
        self,
        *,
        days: Optional[int] = None,
        options: Optional[CallOptions] = None,
    ) -> AiStatistics:
        """Counts the answers to questions, analyses, similar incidents and suggestions that came from the cache, in total and per day (UTC)."""
        return self._call("GET", "/ai/statistics", query={"days": days}, options=options)

    def list_articles(
        self,
        *,
        state: Optional[Sequence[Literal["draft", "published"]]] = None,
        category: Optional[str] = None,
        created_by: Optional[str] = None,
        tags: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["relevance", "created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Article]:
        """Lists articles that match all filters, best match for `q` first."""
        return self._page("/knowledge/articles", {"state": state, "category": category, "created_by": created_by, "tags": tags, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_article(
        self,
        body: ArticleCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Article:
        """Creates an article, by default as a draft."""
        return self._call("POST", "/knowledge/articles", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_article(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Article:
        """Returns an article."""
        return self._call("GET", f"/knowledge/articles/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_article(
        self,
        id: str,
        body: ArticleUpdate,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Article:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/knowledge/articles/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_article(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes an article."""
        self._call("DELETE", f"/knowledge/articles/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_article_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of an article, oldest first."""
        return self._page(f"/knowledge/articles/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def call_mcp(
        self,
        body: McpMessage,
        *,
        mode: Optional[Literal["read", "propose", "write"]] = None,
        mcp_protocol_version: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> McpResponse:
        """Serves agents over the streamable HTTP transport, without sessions: one message per request, and JSON in the response."""
        return self._call("POST", "/mcp", query={"mode": mode}, headers={"MCP-Protocol-Version": mcp_protocol_version}, body=body, options=options)

    def list_sla_policies(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        kind: Optional[Sequence[Literal["incident", "request", "change"]]] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[SlaPolicy]:
        """Lists SLA policies that match all filters."""
        return self._page("/sla-policies", {"id": id, "kind": kind, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_sla_policy(
        self,
        body: SlaPolicyCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> SlaPolicy:
        """Creates an SLA policy."""
        return self._call("POST", "/sla-policies", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_sla_recalculation(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> SlaRecalculation:
        """Returns how far the last change of a policy, a calendar or the default targets has reached the open records."""
        return self._call("GET", "/sla-policies/recalculation", options=options)

    def get_sla_policy(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> SlaPolicy:
        """Returns a SLA policy."""
        return self._call("GET", f"/sla-policies/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_sla_policy(
        self,
        id: str,
        body: SlaPolicyPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> SlaPolicy:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/sla-policies/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_sla_policy(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes an SLA policy."""
        self._call("DELETE", f"/sla-policies/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_sla_policy_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a SLA policy, oldest first."""
        return self._page(f"/sla-policies/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def list_sla_calendars(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Calendar]:
        """Lists calendars that match all filters."""
        return self._page("/calendars", {"id": id, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_sla_calendar(
        self,
        body: CalendarCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Calendar:
        """Creates a calendar."""
        return self._call("POST", "/calendars", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_sla_calendar(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Calendar:
        """Returns a calendar."""
        return self._call("GET", f"/calendars/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_sla_calendar(
        self,
        id: str,
        body: CalendarPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Calendar:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/calendars/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_sla_calendar(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a calendar."""
        self._call("DELETE", f"/calendars/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_sla_calendar_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a calendar, oldest first."""
        return self._page(f"/calendars/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def import_holidays(
        self,
        id: str,
        body: HolidayImport,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> HolidayImportResult:
        """Adds the all-day events of an iCalendar file as holidays, from today for three years."""
        return self._call("POST", f"/calendars/{segment(id)}/holidays", headers={"If-Match": if_match}, body=body, options=options)

    def list_schedules(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        people: Optional[str] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[Schedule]:
        """Lists schedules that match all filters."""
        return self._page("/schedules", {"id": id, "people": people, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_schedule(
        self,
        body: ScheduleCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Schedule:
        """Creates an on-call schedule."""
        return self._call("POST", "/schedules", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_schedule(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Schedule:
        """Returns a schedule."""
        return self._call("GET", f"/schedules/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_schedule(
        self,
        id: str,
        body: SchedulePatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Schedule:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/schedules/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_schedule(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes a schedule and revokes its calendar feed."""
        self._call("DELETE", f"/schedules/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_schedule_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of a schedule, oldest first."""
        return self._page(f"/schedules/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def get_shifts(
        self,
        id: str,
        *,
        from_: TimeOrDate,
        to: TimeOrDate,
        options: Optional[CallOptions] = None,
    ) -> ShiftList:
        """Returns who is on call in a period: the final shifts in order, without holes."""
        return self._call("GET", f"/schedules/{segment(id)}/shifts", query={"from": from_, "to": to}, options=options)

    def get_on_call(
        self,
        *,
        at: Optional[TimeOrDate] = None,
        options: Optional[CallOptions] = None,
    ) -> OnCallList:
        """Returns the person on call in each schedule, by name of the schedule."""
        return self._call("GET", "/on-call", query={"at": at}, options=options)

    def get_overrides(
        self,
        id: str,
        *,
        from_: Optional[TimeOrDate] = None,
        options: Optional[CallOptions] = None,
    ) -> OverrideList:
        """Returns the overrides that end after `from`, by start."""
        return self._call("GET", f"/schedules/{segment(id)}/overrides", query={"from": from_}, options=options)

    def create_override(
        self,
        id: str,
        body: OverrideCreation,
        *,
        options: Optional[CallOptions] = None,
    ) -> Override:
        """Makes a person on call for a period, whatever the layers say."""
        return self._call("POST", f"/schedules/{segment(id)}/overrides", body=body, options=options)

    def delete_override(
        self,
        id: str,
        override_id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes an override."""
        self._call("DELETE", f"/schedules/{segment(id)}/overrides/{segment(override_id)}", options=options)

    def swap_shifts(
        self,
        id: str,
        body: ShiftSwap,
        *,
        options: Optional[CallOptions] = None,
    ) -> SwapResult:
        """Creates two overrides at once: each person takes the period of the other."""
        return self._call("POST", f"/schedules/{segment(id)}/swaps", body=body, options=options)

    def create_calendar_key(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> CalendarKey:
        """Creates a secret address under which calendar applications find the shifts of the schedule."""
        return self._call("POST", f"/schedules/{segment(id)}/calendar-key", options=options)

    def delete_calendar_key(
        self,
        id: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Revokes the key, so that calendar applications no longer get the shifts."""
        self._call("DELETE", f"/schedules/{segment(id)}/calendar-key", options=options)

    def get_calendar(
        self,
        id: str,
        *,
        key: str,
        person: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> str:
        """Returns the shifts of the last 30 and the next 92 days as iCalendar (RFC 5545), for calendar applications."""
        return self._call("GET", f"/schedules/{segment(id)}/calendar.ics", query={"key": key, "person": person}, options=options)

    def list_escalation_policies(
        self,
        *,
        id: Optional[Sequence[str]] = None,
        created_after: Optional[TimeOrDate] = None,
        created_before: Optional[TimeOrDate] = None,
        updated_after: Optional[TimeOrDate] = None,
        updated_before: Optional[TimeOrDate] = None,
        q: Optional[str] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[EscalationPolicy]:
        """Lists escalation policies that match all filters."""
        return self._page("/escalation-policies", {"id": id, "created_after": created_after, "created_before": created_before, "updated_after": updated_after, "updated_before": updated_before, "q": q, "sort": sort, "order": order, "limit": limit, "cursor": cursor}, options)

    def create_escalation_policy(
        self,
        body: EscalationPolicyCreation,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> EscalationPolicy:
        """Creates an escalation policy."""
        return self._call("POST", "/escalation-policies", headers={"Idempotency-Key": idempotency_key}, body=body, options=options)

    def get_escalation_policy(
        self,
        id: str,
        *,
        include_deleted: Optional[bool] = None,
        if_none_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> EscalationPolicy:
        """Returns an escalation policy."""
        return self._call("GET", f"/escalation-policies/{segment(id)}", query={"include_deleted": include_deleted}, headers={"If-None-Match": if_none_match}, options=options)

    def update_escalation_policy(
        self,
        id: str,
        body: EscalationPolicyPatch,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> EscalationPolicy:
        """Applies a JSON merge patch: absent fields are not changed, even by concurrent updates."""
        return self._call("PATCH", f"/escalation-policies/{segment(id)}", headers={"If-Match": if_match}, body=body, options=options)

    def delete_escalation_policy(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        options: Optional[CallOptions] = None,
    ) -> None:
        """Deletes an escalation policy."""
        self._call("DELETE", f"/escalation-policies/{segment(id)}", headers={"If-Match": if_match}, options=options)

    def list_escalation_policy_history(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        include_deleted: Optional[bool] = None,
        options: Optional[CallOptions] = None,
    ) -> Page[HistoryEntry]:
        """Lists all changes of an escalation policy, oldest first."""
        return self._page(f"/escalation-policies/{segment(id)}/history", {"limit": limit, "cursor": cursor, "include_deleted": include_deleted}, options)

    def get_all_group_paging(
        self,
        *,
        options: Optional[CallOptions] = None,
    ) -> GroupPagingList:
        """Returns the settings of all groups that have settings, by name."""
        return self._call("GET", "/groups/paging", options=options)

    def get_group_paging(
        self,
        name: str,
        *,
        options: Optional[CallOptions] = None,
    ) -> GroupPaging:
        """Returns the settings of an assignment group."""
        return self._call("GET", f"/groups/{segment(name)}/paging", options=options)

    def put_group_paging(
        self,
        name: str,
        body: GroupPagingUpdate,
        *,
        options: Optional[CallOptions] = None,
    ) -> GroupPaging:
        """Sets the policy that pages for incidents of an assignment group, and the priorities that page."""
        return self._call("PUT", f"/groups/{segment(name)}/paging", body=body, options=options)
