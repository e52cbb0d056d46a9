// Generated from the contract by tools/generate/client.ts.

/** Stable error codes of the service. */
export type ErrorCode = 'invalid_input' | 'malformed_json' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'invalid_transition' | 'already_approved' | 'idempotency_key_in_flight' | 'limit_reached' | 'in_use' | 'webhook_inactive' | 'precondition_failed' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'mapping_failed' | 'rate_limited' | 'internal_error' | 'unavailable' | 'model_access_denied' | 'model_not_in_region' | 'model_retired' | 'model_throttled';

/** Preferences to change. `views` replaces all views. */
export type PreferencesPatch = {
  /** Saved views of lists. */
  views?: SavedView[] | undefined;
  notifications?: {
    /** Incidents assigned to the person. */
    assignments?: boolean | undefined;
    /** Decisions on changes, requests and proposals of the person. */
    decisions?: boolean | undefined;
    /** Work notes on incidents that the person works on or opened. */
    notes?: boolean | undefined;
    /** Work notes that mention the person. */
    mentions?: boolean | undefined;
    /** Changes, requests and proposals that need approval. */
    approvals?: boolean | undefined;
    /** SLA warnings and breaches. */
    sla?: boolean | undefined;
    /** New incidents for the groups that the person follows. */
    incidents?: boolean | undefined;
    /** Failed deliveries and deactivated webhooks. */
    webhooks?: boolean | undefined;
    /** Whether the console may show browser notifications. */
    browser?: boolean | undefined;
  } | undefined;
  /** Time zone of times in the console; null for the time zone of the browser. */
  time_zone?: string | null | undefined;
};

/** Saved view of a list. */
export type SavedView = {
  /** The list that the view belongs to. */
  list: 'incidents' | 'changes' | 'requests' | 'cis' | 'articles';
  /** Name of the view. */
  name: string;
  /** Filters, sort and order as a URL query. */
  query: string;
  /** Whether the view is pinned. */
  pinned?: boolean | undefined;
};

/** Views of lists that everyone sees. A manager shares them. */
export type SharedViews = {
  /** Saved views of lists. */
  views: SavedView[];
};

/** New API key. */
export type ApiKeyCreation = {
  /** Name of the key. */
  name: string;
  /** Role of the key, at most the caller's role. Defaults to the caller's role. */
  role?: Role | undefined;
};

/** Role of a caller. Each role includes the permissions of the previous ones. */
export type Role = 'viewer' | 'itsm_agent' | 'itsm_manager' | 'super_admin';

/** Timestamp with any UTC offset, or a date, which means midnight UTC. */
export type TimeOrDate = string;

/** New incident. */
export type IncidentCreation = {
  /** Summary of the incident in one line. */
  short_description: string;
  priority?: Priority | undefined;
  /** Initial state, always `new`. */
  state?: 'new' | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Category. */
  category?: string | null | undefined;
  /** Subcategory. */
  subcategory?: string | null | undefined;
  /** Impact. */
  impact?: 'high' | 'medium' | 'low' | null | undefined;
  /** Urgency. */
  urgency?: 'high' | 'medium' | 'low' | null | undefined;
  /** Group that works on the incident. */
  assignment_group?: string | null | undefined;
  /** Person who works on the incident. */
  assigned_to?: string | null | undefined;
  /** Affected configuration item. The service does not check that it exists. */
  ci_id?: string | null | undefined;
  /** ID of the underlying problem. It must exist. */
  parent_problem_id?: string | null | undefined;
  /** ID of the change that caused or fixes the incident. It must exist. */
  change_id?: string | null | undefined;
  /** Resolution in Markdown. */
  resolution?: string | null | undefined;
  /** Whether to notify the assignment group. Not stored. */
  notify_stakeholders?: boolean | undefined;
};

/** Priority; P1 is the most urgent. */
export type Priority = 'P1' | 'P2' | 'P3' | 'P4';

/** What the person who reports an incident knows about it. */
export type IncidentReport = {
  /** Summary of the incident in one line. */
  short_description: string;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Urgency. */
  urgency?: 'high' | 'medium' | 'low' | null | undefined;
  /** Affected configuration item. The service does not check that it exists. */
  ci_id?: string | null | undefined;
};

/** Fields to update and an optional work note. */
export type IncidentUpdate = {
  /** Summary of the incident in one line. */
  short_description?: string | undefined;
  priority?: Priority | undefined;
  /** State of the incident. */
  state?: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened' | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Category. */
  category?: string | null | undefined;
  /** Subcategory. */
  subcategory?: string | null | undefined;
  /** Impact. */
  impact?: 'high' | 'medium' | 'low' | null | undefined;
  /** Urgency. */
  urgency?: 'high' | 'medium' | 'low' | null | undefined;
  /** Group that works on the incident. */
  assignment_group?: string | null | undefined;
  /** Person who works on the incident. */
  assigned_to?: string | null | undefined;
  /** Affected configuration item. The service does not check that it exists. */
  ci_id?: string | null | undefined;
  /** ID of the underlying problem. It must exist. */
  parent_problem_id?: string | null | undefined;
  /** ID of the change that caused or fixes the incident. It must exist. */
  change_id?: string | null | undefined;
  /** Resolution in Markdown. */
  resolution?: string | null | undefined;
  /** Work note to add with the update, visible to the team. */
  work_note?: string | undefined;
};

/** New note. */
export type WorkNoteCreation = {
  /** Text in Markdown. */
  body: string;
  /** Visibility. Only the author and managers can see private notes. */
  visibility?: 'team' | 'public' | 'private' | undefined;
  /** Links to files that are stored elsewhere. */
  attachments?: AttachmentCreation[] | undefined;
  /** Uploaded files of the record that no other note has. */
  attachment_ids?: string[] | undefined;
};

/** Link to a file that is stored elsewhere. */
export type AttachmentCreation = {
  /** File name. */
  filename: string;
  /** Media type. */
  content_type: string;
  /** Size in bytes. */
  size_bytes: number;
  /** URL of the file. */
  url: string;
};

/** File to upload. */
export type AttachedFileCreation = {
  /** ID of the record to which a note with the file will be added. */
  record_id: string;
  /** File name. */
  filename: string;
  /** Media type. The service compares it with the content. */
  content_type: 'text/plain' | 'text/csv' | 'text/markdown' | 'application/json' | 'message/rfc822' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/webm' | 'application/pdf' | 'application/zip' | 'application/gzip' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  /** Exact size in bytes. */
  size_bytes: number;
};

/** New problem. */
export type ProblemRecordCreation = {
  /** Summary of the problem in one line. */
  short_description: string;
  priority?: Priority | undefined;
  /** Initial state, always `new`. */
  state?: 'new' | undefined;
  /** Whether the problem is a known error, whose workaround is offered for similar incidents. Requires `root_cause` or `workaround`. */
  known_error?: boolean | undefined;
  /** Related changes, such as the one that fixes the problem. They must exist. */
  change_ids?: string[] | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Group that works on the problem. */
  assignment_group?: string | null | undefined;
  /** Person who works on the problem. */
  assigned_to?: string | null | undefined;
  /** Root cause in Markdown. */
  root_cause?: string | null | undefined;
  /** How to restore the service until the problem is fixed, in Markdown. */
  workaround?: string | null | undefined;
  /** Configuration item with the fault. The service does not check that it exists. */
  ci_id?: string | null | undefined;
};

/** Fields to update. null or an empty text clears an optional field. */
export type ProblemRecordPatch = {
  /** Summary of the problem in one line. */
  short_description?: string | undefined;
  priority?: Priority | undefined;
  /** State of the problem. */
  state?: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled' | undefined;
  /** Whether the problem is a known error, whose workaround is offered for similar incidents. Requires `root_cause` or `workaround`. */
  known_error?: boolean | undefined;
  /** Related changes, such as the one that fixes the problem. They must exist. */
  change_ids?: string[] | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Group that works on the problem. */
  assignment_group?: string | null | undefined;
  /** Person who works on the problem. */
  assigned_to?: string | null | undefined;
  /** Root cause in Markdown. */
  root_cause?: string | null | undefined;
  /** How to restore the service until the problem is fixed, in Markdown. */
  workaround?: string | null | undefined;
  /** Configuration item with the fault. The service does not check that it exists. */
  ci_id?: string | null | undefined;
};

/** New link. */
export type LinkCreation = {
  /** Type of the link. Only an incident can be the original of a duplicate. */
  type: 'duplicate_of' | 'caused_by' | 'related_to';
  /** ID of the linked incident, problem or change. */
  record_id: string;
};

/** New configuration item. */
export type CiCreation = {
  /** Name of the item. */
  name: string;
  /** Class of the item, such as server, database or service. */
  class: string;
  /** Operational status. */
  status?: 'operational' | 'degraded' | 'down' | 'retired' | undefined;
  /** Additional attributes. In an update, null removes a key. */
  attributes?: Record<string, unknown> | undefined;
  /** Relations to other items, which need not exist yet. An update replaces the whole list. */
  relations?: CiRelation[] | undefined;
  /** Environment, such as production. */
  environment?: string | null | undefined;
  /** Person or team responsible. */
  owner?: string | null | undefined;
  /** Location. */
  location?: string | null | undefined;
  /** IP address. */
  ip_address?: string | null | undefined;
};

/** Relation to another configuration item. */
export type CiRelation = {
  /** Type of the relation. */
  type: 'depends_on' | 'runs_on' | 'part_of' | 'connected_to';
  /** ID of the related configuration item. */
  ci_id: string;
};

/** Fields to update. null or an empty text clears an optional field. */
export type CiPatch = {
  /** Name of the item. */
  name?: string | undefined;
  /** Class of the item, such as server, database or service. */
  class?: string | undefined;
  /** Operational status. */
  status?: 'operational' | 'degraded' | 'down' | 'retired' | undefined;
  /** Additional attributes. In an update, null removes a key. */
  attributes?: Record<string, unknown> | undefined;
  /** Relations to other items, which need not exist yet. An update replaces the whole list. */
  relations?: CiRelation[] | undefined;
  /** Environment, such as production. */
  environment?: string | null | undefined;
  /** Person or team responsible. */
  owner?: string | null | undefined;
  /** Location. */
  location?: string | null | undefined;
  /** IP address. */
  ip_address?: string | null | undefined;
};

/** New change. */
export type ChangeCreation = {
  /** Summary of the change in one line. */
  short_description: string;
  /** Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent. */
  type?: 'standard' | 'normal' | 'emergency' | undefined;
  /** Risk of the change. */
  risk?: 'low' | 'medium' | 'high' | undefined;
  /** Initial state. A draft needs no approval until it is submitted. */
  state?: 'draft' | 'submitted' | undefined;
  /** Affected configuration items. The service does not check that they exist. */
  ci_ids?: string[] | undefined;
  /** Whether alerts of the affected items page nobody while the change is in `implementing`. */
  suppress_pages?: boolean | undefined;
  /** Description and reason in Markdown. */
  description?: string | null | undefined;
  /** Steps of the implementation in Markdown. */
  implementation_plan?: string | null | undefined;
  /** Steps that undo the change, in Markdown. */
  backout_plan?: string | null | undefined;
  /** Checks after the implementation in Markdown. */
  test_plan?: string | null | undefined;
  /** Planned start of the work. */
  planned_start?: string | null | undefined;
  /** Planned end of the work. Must be after `planned_start`. */
  planned_end?: string | null | undefined;
  /** Group that implements the change. */
  assignment_group?: string | null | undefined;
  /** Person who implements the change. */
  assigned_to?: string | null | undefined;
};

/** Fields to update. null or an empty text clears an optional field. */
export type ChangePatch = {
  /** Summary of the change in one line. */
  short_description?: string | undefined;
  /** Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent. */
  type?: 'standard' | 'normal' | 'emergency' | undefined;
  /** Risk of the change. */
  risk?: 'low' | 'medium' | 'high' | undefined;
  /** State of the change. */
  state?: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled' | undefined;
  /** Affected configuration items. The service does not check that they exist. */
  ci_ids?: string[] | null | undefined;
  /** Whether alerts of the affected items page nobody while the change is in `implementing`. */
  suppress_pages?: boolean | undefined;
  /** Description and reason in Markdown. */
  description?: string | null | undefined;
  /** Steps of the implementation in Markdown. */
  implementation_plan?: string | null | undefined;
  /** Steps that undo the change, in Markdown. */
  backout_plan?: string | null | undefined;
  /** Checks after the implementation in Markdown. */
  test_plan?: string | null | undefined;
  /** Planned start of the work. */
  planned_start?: string | null | undefined;
  /** Planned end of the work. Must be after `planned_start`. */
  planned_end?: string | null | undefined;
  /** Group that implements the change. */
  assignment_group?: string | null | undefined;
  /** Person who implements the change. */
  assigned_to?: string | null | undefined;
};

/** Approval or rejection. */
export type Decision = {
  /** Note for the requester. */
  note?: string | null | undefined;
};

/** New service request. */
export type ServiceRequestCreation = {
  /** Summary of the request in one line. */
  short_description: string;
  /** Quantity. */
  quantity?: number | undefined;
  /** Initial state, always `submitted`. */
  state?: 'submitted' | undefined;
  /** Description and purpose in Markdown. */
  description?: string | null | undefined;
  /** Requested catalog item. */
  item?: string | null | undefined;
  /** Person who receives the item. */
  requested_for?: string | null | undefined;
};

/** Fields to update. null or an empty text clears an optional field. */
export type ServiceRequestPatch = {
  /** Summary of the request in one line. */
  short_description?: string | undefined;
  /** Quantity. */
  quantity?: number | undefined;
  /** State of the request. */
  state?: 'submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled' | undefined;
  /** Description and purpose in Markdown. */
  description?: string | null | undefined;
  /** Requested catalog item. */
  item?: string | null | undefined;
  /** Person who receives the item. */
  requested_for?: string | null | undefined;
};

/** New proposal. */
export type ProposalCreation = {
  /** Operation that the proposal asks for. */
  operation: 'createIncident' | 'updateIncident' | 'createCi' | 'updateCi';
  /** Body of the operation. It is validated when the proposal is created and again when it is applied. */
  body: Record<string, unknown>;
  /** Why the change is right, in Markdown: what was observed, and where. */
  evidence: string;
  /** ID of the record to update; null to create one. After the creation, the new record. */
  record_id?: string | null | undefined;
  /** ETag that the record must have when the proposal is applied. */
  if_match?: string | null | undefined;
};

/** Updates the same fields of several incidents. */
export type BulkIncidentUpdate = {
  operation: 'update';
  /** IDs of the incidents to update. */
  ids: string[];
  /** New values, applied to every record. */
  fields: IncidentUpdate;
};

/** Resolves several open incidents. Those without work in progress change to `in_progress` first. */
export type BulkIncidentResolution = {
  operation: 'resolve';
  /** IDs of the incidents to resolve. */
  ids: string[];
  /** Applied to every incident. */
  fields?: {
    /** Resolution in Markdown. */
    resolution?: string | null | undefined;
    /** Work note to add with the update, visible to the team. */
    work_note?: string | undefined;
  } | undefined;
};

/** Creates several incidents. */
export type BulkIncidentCreation = {
  operation: 'create';
  /** New incidents, each an IncidentCreation object. */
  records: unknown[];
};

/** Imports incidents with their dates, notes and history. Requires the role itsm_manager. */
export type BulkIncidentImport = {
  operation: 'import';
  /** Incidents of another system. */
  records: IncidentImport[];
  /** Whether the imports emit events, start pages and notify people. They never do by default. */
  emit_events?: boolean | undefined;
  /** Only validate; a result has the ID of the record if it was imported before. */
  dry_run?: boolean | undefined;
};

/** Updates the same fields of several problems. */
export type BulkProblemUpdate = {
  operation: 'update';
  /** IDs of the problems to update. */
  ids: string[];
  /** New values, applied to every record. */
  fields: ProblemRecordPatch;
};

/** Creates several problems. */
export type BulkProblemCreation = {
  operation: 'create';
  /** New problems, each a ProblemRecordCreation object. */
  records: unknown[];
};

/** Imports problems with their dates, notes and history. Requires the role itsm_manager. */
export type BulkProblemImport = {
  operation: 'import';
  /** Problems of another system. */
  records: ProblemImport[];
  /** Whether the imports emit events, start pages and notify people. They never do by default. */
  emit_events?: boolean | undefined;
  /** Only validate; a result has the ID of the record if it was imported before. */
  dry_run?: boolean | undefined;
};

/** Updates the same fields of several configuration items. */
export type BulkCiUpdate = {
  operation: 'update';
  /** IDs of the configuration items to update. */
  ids: string[];
  /** New values, applied to every record. */
  fields: CiPatch;
};

/** Creates several configuration items. */
export type BulkCiCreation = {
  operation: 'create';
  /** New configuration items, each a CiCreation object. */
  records: unknown[];
};

/** Creates or updates configuration items by name and class. */
export type BulkCiDiscovery = {
  operation: 'discover';
  /** Discovered configuration items, each a CiDiscovery object. */
  records: unknown[];
};

/** New inbound webhook. */
export type InboundWebhookCreation = {
  /** Display name. Incidents created by the webhook show an address derived from it. */
  name: string;
  /** Description of the webhook. */
  description?: string | null | undefined;
  /** Action to take for an event. Required without `preset`. */
  action?: 'create_incident' | 'update_incident' | 'resolve_incident' | 'add_note' | undefined;
  /** Templates by field. A template is text with placeholders such as `{{a.b[0].c}}`. `{{payload.a}}` and `{{$.a}}` are aliases of `{{a}}`, and the template `$.a.b` is short for `{{a.b}}`. Filters: `default:"x"`, `upper`, `lower`, `truncate:n`, `map:"crit=P1,warn=P2"`. Missing values render as empty text; fields that render empty are not set. */
  field_mapping?: Record<string, string> | undefined;
  /** Conditions on the payload of every event, also of events that a rule matches. All must match. At most 8,000 bytes as JSON. */
  filters?: WebhookFilter[] | undefined;
  /** Conditions for the webhook's own `action`, in addition to `filters`. All must match. At most 8,000 bytes as JSON. */
  when?: WebhookFilter[] | undefined;
  /** Further actions, in order. The first rule whose conditions match replaces the `when`, `action` and `field_mapping` of the webhook for that event, so that one webhook can create, update and resolve an incident. `filters` apply to rules too. */
  rules?: InboundRule[] | undefined;
  /** Template for the ID of the incident to update, for example `{{ticket}}`. */
  incident_id?: string | null | undefined;
  /** Template for the deduplication key. Events with the same key update the open incident instead of creating a new one. */
  dedup_key?: string | null | undefined;
  /** ID of a webhook to share deduplication keys with, so that one can resolve incidents the other created. */
  dedup_scope?: string | null | undefined;
  /** ARN of the Amazon SNS topic whose messages are accepted. Required for the preset `cloudwatch`, and only for it. Messages of other topics are rejected, and their subscriptions are not confirmed. null for a webhook of an earlier release, which accepts messages of all topics and confirms no further subscription until a topic is set. */
  topic_arn?: string | null | undefined;
  /** Whether events need a signature or an access token. */
  secret_enabled?: boolean | undefined;
  /** Whether a repeated body, signed with `X-Service-Signature` or `X-Hub-Signature-256`, counts as a new event within 24 hours. false protects against replay attacks. Use true for senders whose bodies contain no timestamp or ID and that do not support Standard Webhooks. */
  accept_repeated_bodies?: boolean | undefined;
  /** Whether events are accepted. An inactive webhook returns 404 to senders. */
  active?: boolean | undefined;
  /** Sending system. Provides the action, its conditions, mapping, rules and deduplication key that the request does not set. */
  preset?: 'alertmanager' | 'grafana' | 'cloudwatch' | 'datadog' | 'sentry' | 'github' | 'pagerduty' | null | undefined;
};

/** Condition on a payload field. */
export type WebhookFilter = {
  /** Path of a payload field. */
  field: string;
  operator: FilterOperator;
  /** Value to compare with: any JSON value. */
  value: unknown;
};

/** Comparison operator. `in` and `nin` take a list, `exists` a boolean, `starts_with` and `ends_with` a string, `gt`, `gte`, `lt` and `lte` a number or a string, the others any value. Values of different types never match. */
export type FilterOperator = 'eq' | 'neq' | 'in' | 'nin' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'starts_with' | 'ends_with' | 'exists';

/** Action for the events that match its conditions. */
export type InboundRule = {
  /** Conditions on the payload. All must match. */
  when: WebhookFilter[];
  /** Action to take for an event. `resolve_incident` passes through `in_progress` if the state machine requires it. */
  action: 'create_incident' | 'update_incident' | 'resolve_incident' | 'add_note';
  /** Templates by field. A template is text with placeholders such as `{{a.b[0].c}}`. `{{payload.a}}` and `{{$.a}}` are aliases of `{{a}}`, and the template `$.a.b` is short for `{{a.b}}`. Filters: `default:"x"`, `upper`, `lower`, `truncate:n`, `map:"crit=P1,warn=P2"`. Missing values render as empty text; fields that render empty are not set. */
  field_mapping?: Record<string, string> | undefined;
};

/** Settings to update. null or an empty text clears an optional setting. */
export type InboundWebhookUpdate = {
  /** Display name. Incidents created by the webhook show an address derived from it. */
  name?: string | undefined;
  /** Description of the webhook. */
  description?: string | null | undefined;
  /** Action to take for an event. `resolve_incident` passes through `in_progress` if the state machine requires it. */
  action?: 'create_incident' | 'update_incident' | 'resolve_incident' | 'add_note' | undefined;
  /** Merged with the stored mapping; null removes a field. */
  field_mapping?: Record<string, string | null> | undefined;
  /** Conditions on the payload of every event, also of events that a rule matches. All must match. At most 8,000 bytes as JSON. */
  filters?: WebhookFilter[] | undefined;
  /** Conditions for the webhook's own `action`, in addition to `filters`. All must match. At most 8,000 bytes as JSON. */
  when?: WebhookFilter[] | undefined;
  /** Further actions, in order. The first rule whose conditions match replaces the `when`, `action` and `field_mapping` of the webhook for that event, so that one webhook can create, update and resolve an incident. `filters` apply to rules too. */
  rules?: InboundRule[] | undefined;
  /** Template for the ID of the incident to update, for example `{{ticket}}`. */
  incident_id?: string | null | undefined;
  /** Template for the deduplication key. Events with the same key update the open incident instead of creating a new one. */
  dedup_key?: string | null | undefined;
  /** ID of a webhook to share deduplication keys with, so that one can resolve incidents the other created. */
  dedup_scope?: string | null | undefined;
  /** ARN of the Amazon SNS topic whose messages are accepted. Required for the preset `cloudwatch`, and only for it. Messages of other topics are rejected, and their subscriptions are not confirmed. null for a webhook of an earlier release, which accepts messages of all topics and confirms no further subscription until a topic is set. */
  topic_arn?: string | null | undefined;
  /** Whether events need a signature or an access token. */
  secret_enabled?: boolean | undefined;
  /** Whether a repeated body, signed with `X-Service-Signature` or `X-Hub-Signature-256`, counts as a new event within 24 hours. false protects against replay attacks. Use true for senders whose bodies contain no timestamp or ID and that do not support Standard Webhooks. */
  accept_repeated_bodies?: boolean | undefined;
  /** Whether events are accepted. An inactive webhook returns 404 to senders. */
  active?: boolean | undefined;
};

/** Test request. */
export type InboundLabRequest = {
  /** Payload to test. */
  payload: unknown;
  /** Settings that override the stored ones. */
  settings?: InboundWebhookUpdate | undefined;
};

/** Test request for a new webhook. */
export type InboundPreviewRequest = {
  /** Payload to test. */
  payload: unknown;
  /** Settings of the new webhook. */
  settings: InboundWebhookCreation;
};

/** New outbound webhook. */
export type OutboundWebhookCreation = {
  /** Display name. */
  name: string;
  /** URL to deliver events to: https at a public address. A local installation also accepts loopback addresses. */
  url: string;
  /** Event types to deliver. */
  events: EventType[];
  /** Conditions on the event, all of which must match: `event`, `changes.state.to`, `data.<field of the payload>`, and `incident.<field>`, `change.<field>`, `request.<field>` or `ci.<field>` for every field of the record. Unknown fields are rejected. */
  filters?: WebhookFilter[] | undefined;
  /** Format of the request body. `service`: `event`, `timestamp`, `service_instance` and `data`. `cloudevents`: CloudEvents 1.0 in structured mode. `slack`: message for a Slack incoming webhook. `teams`: Adaptive Card for a Microsoft Teams workflow. */
  format?: 'service' | 'cloudevents' | 'slack' | 'teams' | undefined;
  /** Whether to sign deliveries with the secret. */
  sign_payloads?: boolean | undefined;
  /** Whether to deliver events. Deactivating the webhook cancels pending deliveries. */
  active?: boolean | undefined;
  /** Seconds in which the whole response must arrive. */
  timeout_seconds?: number | undefined;
  /** Inbound webhook that the receiver uses. Changes made through it are not delivered to the receiver unless `include_own` is true. */
  inbound_webhook_id?: string | null | undefined;
  /** API client that the receiver uses (its `id` in `GET /me`). Changes made by that client, including bulk jobs, are not delivered to the receiver unless `include_own` is true. */
  client_id?: string | null | undefined;
  /** Whether to deliver changes that the receiver made itself. */
  include_own?: boolean | undefined;
  /** Headers to send with each delivery. Connection headers, `Host`, `Content-Length` and headers set by the service are rejected. */
  headers?: Record<string, string> | undefined;
};

/** Type of the event. */
export type EventType = 'incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved';

/** Settings to update. */
export type OutboundWebhookUpdate = {
  /** Display name. */
  name?: string | undefined;
  /** URL to deliver events to: https at a public address. A local installation also accepts loopback addresses. */
  url?: string | undefined;
  /** Event types to deliver. */
  events?: EventType[] | undefined;
  /** Conditions on the event, all of which must match: `event`, `changes.state.to`, `data.<field of the payload>`, and `incident.<field>`, `change.<field>`, `request.<field>` or `ci.<field>` for every field of the record. Unknown fields are rejected. */
  filters?: WebhookFilter[] | undefined;
  /** Format of the request body. `service`: `event`, `timestamp`, `service_instance` and `data`. `cloudevents`: CloudEvents 1.0 in structured mode. `slack`: message for a Slack incoming webhook. `teams`: Adaptive Card for a Microsoft Teams workflow. */
  format?: 'service' | 'cloudevents' | 'slack' | 'teams' | undefined;
  /** Whether to sign deliveries with the secret. */
  sign_payloads?: boolean | undefined;
  /** Whether to deliver events. Deactivating the webhook cancels pending deliveries. */
  active?: boolean | undefined;
  /** Seconds in which the whole response must arrive. */
  timeout_seconds?: number | undefined;
  /** Inbound webhook that the receiver uses. Changes made through it are not delivered to the receiver unless `include_own` is true. */
  inbound_webhook_id?: string | null | undefined;
  /** API client that the receiver uses (its `id` in `GET /me`). Changes made by that client, including bulk jobs, are not delivered to the receiver unless `include_own` is true. */
  client_id?: string | null | undefined;
  /** Whether to deliver changes that the receiver made itself. */
  include_own?: boolean | undefined;
  /** Merged with the stored headers: null removes a header, `[hidden]` keeps it. Connection headers, `Host`, `Content-Length` and headers set by the service are rejected. */
  headers?: Record<string, string | null> | undefined;
};

/** Time range to recover. */
export type Recovery = {
  /** Start time: deliveries created since then are replayed. */
  since: string;
};

/** Notification settings of the caller. */
export type NotificationSettings = {
  /** Assignment groups whose notifications the caller receives. */
  groups: string[];
};

/** A new way to reach the caller. */
export type ContactMethodCreation = {
  kind: ContactKind;
  /** E-mail address, phone number in international form (E.164), or URL of a personal webhook. Webhooks need https at a public address; a local installation also accepts loopback addresses. */
  address: string;
  /** Name of the contact method for its owner. */
  label?: string | null | undefined;
};

/** `email` and `sms` are verified with a code. `slack`, `teams` and `ntfy` are personal webhooks. */
export type ContactKind = 'email' | 'sms' | 'slack' | 'teams' | 'ntfy';

/** New rules; null restores a default. */
export type NotificationRulesUpdate = {
  /** For pages. A page that has ended is not sent. */
  pages: NotificationStep[] | null;
  /** For other notifications. Later steps are skipped once the notification is read. */
  notifications: NotificationStep[] | null;
  /** Topics of notifications that are sent, besides the list in the console. */
  topics: ('assignments' | 'decisions' | 'notes' | 'mentions' | 'approvals' | 'sla' | 'incidents' | 'webhooks')[] | null;
};

/** Use of a contact method. */
export type NotificationStep = {
  /** ID of the contact method. */
  method_id: string;
  /** Minutes without an acknowledgement; 0: at once. */
  after_minutes: number;
};

/** What to page: exactly one of a policy, a schedule and a person. */
export type PageCreation = {
  /** Policy to page. */
  escalation_policy_id?: string | undefined;
  /** Schedule whose person on call is paged. */
  schedule_id?: string | undefined;
  /** Person to page. */
  person?: string | undefined;
  /** Reason, for the message. */
  reason?: string | null | undefined;
};

/** Question for the knowledge base. */
export type Question = {
  /** Question to answer. */
  question: string;
  /** Record the question refers to. */
  context_record?: {
    type: 'incident' | 'change';
    /** ID of the record. */
    id: string;
  } | undefined;
  /** Maximum number of knowledge base passages to use. */
  max_kb_results?: number | undefined;
  /** Model to use: `model-3-haiku` is the fastest, `model-3-sonnet` (default) is balanced, `model-3-opus` is the most capable. */
  model?: 'model-3-haiku' | 'model-3-sonnet' | 'model-3-opus' | undefined;
};

/** Record to analyze. */
export type AnalysisRequest = {
  /** Type of the record. */
  record_type?: 'incident' | 'change' | undefined;
  /** ID of the record. */
  record_id: string;
  /** Type of analysis. */
  analysis_type?: 'root_cause' | 'impact' | 'summary' | undefined;
  /** Model to use: `model-3-haiku` is the fastest, `model-3-sonnet` (default) is balanced, `model-3-opus` is the most capable. */
  model?: 'model-3-haiku' | 'model-3-sonnet' | 'model-3-opus' | undefined;
};

/** Description to find similar incidents for. */
export type ExemplarsRequest = {
  /** Record type. Only incidents are supported. */
  record_type?: 'incident' | undefined;
  /** Description of the incident. */
  description: string;
  /** Return only incidents in this category. */
  category?: string | undefined;
  /** Maximum number of results. */
  top_k?: number | undefined;
  /** Whether to include open incidents, which may be duplicates. */
  include_open?: boolean | undefined;
};

/** Text to suggest field values for. */
export type SuggestRequest = {
  /** Description of the incident. */
  text: string;
  /** Fields to suggest. `category` includes the subcategory. */
  suggest_for?: ('category' | 'priority' | 'assignment_group')[] | undefined;
  /** Values the user has already chosen. These fields get no suggestion, except for a higher priority. */
  current?: {
    /** Chosen category. */
    category?: string | null | undefined;
    /** Chosen subcategory. */
    subcategory?: string | null | undefined;
    priority?: 'P1' | 'P2' | 'P3' | 'P4' | null | undefined;
    /** Chosen group. */
    assignment_group?: string | null | undefined;
  } | undefined;
};

/** Question about the records. */
export type Query = {
  /** Question about the records. */
  query?: string | undefined;
  /** Alias of `query`. */
  question?: string | undefined;
  /** Continues an earlier conversation; without it, a new one begins. */
  conversation_id?: string | undefined;
  /** Model to use: `model-3-haiku` is the fastest, `model-3-sonnet` (default) is balanced, `model-3-opus` is the most capable. */
  model?: 'model-3-haiku' | 'model-3-sonnet' | 'model-3-opus' | undefined;
};

/** New article. */
export type ArticleCreation = {
  /** Title. */
  title: string;
  /** Content in Markdown. */
  body: string;
  /** Publication state. Viewers cannot see drafts; managers publish. */
  state?: 'draft' | 'published' | undefined;
  /** Category, as for incidents. */
  category?: string | null | undefined;
  /** Tags. */
  tags?: string[] | undefined;
};

/** Fields to update. null or an empty text clears the category. */
export type ArticleUpdate = {
  /** Title. */
  title?: string | undefined;
  /** Content in Markdown. */
  body?: string | undefined;
  /** Publication state. Viewers cannot see drafts; managers publish. */
  state?: 'draft' | 'published' | undefined;
  /** Category, as for incidents. */
  category?: string | null | undefined;
  /** Tags. */
  tags?: string[] | undefined;
};

/** JSON-RPC message of the Model Context Protocol. */
export type McpMessage = {
  jsonrpc: '2.0';
  /** Absent in a notification. */
  id?: string | number | undefined;
  method?: string | undefined;
  params?: {
  } | undefined;
  result?: {
  } | undefined;
  error?: {
  } | undefined;
};

/** New SLA policy. */
export type SlaPolicyCreation = {
  /** Name of the policy. */
  name: string;
  /** Kind of the records. */
  kind: 'incident' | 'request' | 'change';
  /** Target for the resolution, completion or fulfilment, in open minutes. */
  resolve_minutes: number;
  /** States in which the clock pauses: by default `on_hold` for incidents. */
  pause_states?: string[] | undefined;
  /** Share of the target after which a warning is sent. */
  warning_percent?: number | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
  /** Only records of this group; null for all. Requests have no group. */
  assignment_group?: string | null | undefined;
  /** Only records with this category, the `item` of a request or the `type` of a change; null for all. */
  category?: string | null | undefined;
  /** Only incidents of this priority; null for all. */
  priority?: Priority | null | undefined;
  /** Target for the first acknowledgement of an incident; null for none. */
  acknowledge_minutes?: number | null | undefined;
  /** Calendar whose open hours count; null for around the clock. */
  calendar_id?: string | null | undefined;
};

/** Fields to update. */
export type SlaPolicyPatch = {
  /** Name of the policy. */
  name?: string | undefined;
  /** Kind of the records. */
  kind?: 'incident' | 'request' | 'change' | undefined;
  /** Target for the resolution, completion or fulfilment, in open minutes. */
  resolve_minutes?: number | undefined;
  /** States in which the clock pauses. */
  pause_states?: string[] | undefined;
  /** Share of the target after which a warning is sent. */
  warning_percent?: number | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
  /** Only records of this group; null for all. Requests have no group. */
  assignment_group?: string | null | undefined;
  /** Only records with this category, the `item` of a request or the `type` of a change; null for all. */
  category?: string | null | undefined;
  /** Only incidents of this priority; null for all. */
  priority?: Priority | null | undefined;
  /** Target for the first acknowledgement of an incident; null for none. */
  acknowledge_minutes?: number | null | undefined;
  /** Calendar whose open hours count; null for around the clock. */
  calendar_id?: string | null | undefined;
};

/** New calendar. */
export type CalendarCreation = {
  /** Name of the calendar. */
  name: string;
  /** IANA time zone of the hours and holidays. */
  time_zone: string;
  /** Open hours of a week. Periods may overlap. */
  hours: OpenHours[];
  /** Days on which everything is closed. */
  holidays?: Holiday[] | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
};

/** Open hours of some days of the week. */
export type OpenHours = Restriction;

/** Period of the week in which a layer is on call. */
export type Restriction = {
  /** Days on which the period begins. */
  weekdays: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[];
  /** Local time at which the period begins. */
  from: string;
  /** Local time at which the period ends: on the next day if it is not after `from`. Equal times are 24 hours. */
  to: string;
};

/** Day on which everything is closed. */
export type Holiday = {
  /** Local date on which everything is closed. */
  date: string;
  /** Name of the holiday. */
  name: string;
  /** Whether it repeats every year on the same day. */
  yearly?: boolean | undefined;
};

/** Fields to update. `hours` and `holidays` replace all of them. */
export type CalendarPatch = {
  /** Name of the calendar. */
  name?: string | undefined;
  /** IANA time zone of the hours and holidays. */
  time_zone?: string | undefined;
  /** Open hours of a week. Periods may overlap. */
  hours?: OpenHours[] | undefined;
  /** Days on which everything is closed. */
  holidays?: Holiday[] | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
};

/** Holidays in an iCalendar file. */
export type HolidayImport = {
  /** Contents of an iCalendar file (RFC 5545). */
  icalendar: string;
  /** Whether to remove the holidays that it does not contain. */
  replace?: boolean | undefined;
};

/** New schedule. */
export type ScheduleCreation = {
  /** Name of the schedule. */
  name: string;
  /** IANA time zone of all times in the layers. */
  time_zone: string;
  /** Layers in order of precedence. The first layer that has somebody on call decides; a later layer covers the gaps of the earlier ones. Overrides take precedence over all layers. */
  layers: ScheduleLayer[];
  /** Description in Markdown. */
  description?: string | null | undefined;
};

/** People who take turns in a schedule. */
export type ScheduleLayer = {
  /** Name of the layer. */
  name: string;
  /** People who take turns, in this order. A person may occur several times. */
  people: string[];
  /** Length of a shift in `shift_unit`. */
  shift_length: number;
  /** Unit of `shift_length`. */
  shift_unit: 'hours' | 'days' | 'weeks';
  /** Local time of the hand-off. */
  handoff_time: string;
  /** Day of the hand-off: required for shifts in weeks, null otherwise. */
  handoff_weekday?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null | undefined;
  /** Local date on which the layer begins, at `handoff_time`. The first person begins. With weeks, the first shift ends on the next `handoff_weekday` that completes a shift, so it may be shorter. */
  starts_on: string;
  /** Local date on which the layer ends, at `handoff_time`; null for no end. */
  ends_on?: string | null | undefined;
  /** Periods in which the layer is on call; always if there are none. */
  restrictions?: Restriction[] | undefined;
};

/** Fields to update. `layers` replaces all layers. */
export type SchedulePatch = {
  /** Name of the schedule. */
  name?: string | undefined;
  /** IANA time zone of all times in the layers. */
  time_zone?: string | undefined;
  /** Layers in order of precedence. The first layer that has somebody on call decides; a later layer covers the gaps of the earlier ones. Overrides take precedence over all layers. */
  layers?: ScheduleLayer[] | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
};

/** New override. */
export type OverrideCreation = {
  /** Person who is on call. */
  person: string;
  /** Start of the period. */
  starts_at: string;
  /** End of the period, at most 92 days after `starts_at`. */
  ends_at: string;
  /** Reason for the override. */
  reason?: string | null | undefined;
};

/** Two periods whose people take the place of each other. */
export type ShiftSwap = {
  first: SwappedPeriod;
  second: SwappedPeriod;
};

/** Period in which the person is on call. */
export type SwappedPeriod = {
  /** Person who is on call. */
  person: string;
  /** Start of the period. */
  starts_at: string;
  /** End of the period, at most 92 days after `starts_at`. */
  ends_at: string;
};

/** New escalation policy. */
export type EscalationPolicyCreation = {
  /** Name of the policy. */
  name: string;
  /** Steps in order. The first one pages at once. */
  steps: EscalationStep[];
  /** How often all steps are repeated after the last one if nobody acknowledges. */
  repeat?: number | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
  /** Minutes after an acknowledgement without progress before the escalation continues; null if acknowledgements do not expire. */
  acknowledgement_expires_minutes?: number | null | undefined;
};

/** Step of an escalation policy. */
export type EscalationStep = {
  /** Who is paged in this step, all at the same time. */
  targets: EscalationTarget[];
  /** Minutes without an acknowledgement before the next step. */
  wait_minutes: number;
};

/** Who is paged. */
export type EscalationTarget = {
  /** `schedule`: the person on call. `person`: this person. `group`: everybody in the group. */
  type: 'schedule' | 'person' | 'group';
  /** ID of the schedule, email address of the person or name of the group. */
  id: string;
};

/** Fields to update. `steps` replaces all steps. */
export type EscalationPolicyPatch = {
  /** Name of the policy. */
  name?: string | undefined;
  /** Steps in order. The first one pages at once. */
  steps?: EscalationStep[] | undefined;
  /** How often all steps are repeated after the last one if nobody acknowledges. */
  repeat?: number | undefined;
  /** Description in Markdown. */
  description?: string | null | undefined;
  /** Minutes after an acknowledgement without progress before the escalation continues; null if acknowledgements do not expire. */
  acknowledgement_expires_minutes?: number | null | undefined;
};

/** New paging settings of an assignment group. */
export type GroupPagingUpdate = {
  /** Policy that pages for incidents of the group; null if incidents of the group page nobody. */
  escalation_policy_id: string | null;
  /** Priorities that page. */
  priorities?: Priority[] | undefined;
};

/** An incident was created. */
export type IncidentCreatedPayload = {
  event: 'incident.created';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: IncidentEventData;
};

/** The incident after the change. */
export type IncidentEventData = {
  /** ID of the incident. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  priority: Priority;
  /** State of the incident. */
  state: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened';
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
  /** Changed fields with their values before and after, on updates. */
  changes?: Record<string, {
      from: unknown;
      to: unknown;
    }> | undefined;
};

/** A field of an incident changed. */
export type IncidentUpdatedPayload = {
  event: 'incident.updated';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: IncidentEventData;
};

/** An incident was resolved. */
export type IncidentResolvedPayload = {
  event: 'incident.resolved';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: IncidentEventData;
};

/** The priority of an incident changed. */
export type IncidentPriorityChangedPayload = {
  event: 'incident.priority_changed';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: IncidentEventData;
};

/** A change was submitted for approval. */
export type ChangeSubmittedPayload = {
  event: 'change.submitted';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ChangeEventData;
};

/** The change after it entered the state. */
export type ChangeEventData = {
  /** ID of the change. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  /** State of the change. */
  state: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled';
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
};

/** A change was approved. */
export type ChangeApprovedPayload = {
  event: 'change.approved';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ChangeEventData;
};

/** A change was rejected. */
export type ChangeRejectedPayload = {
  event: 'change.rejected';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ChangeEventData;
};

/** A service request was submitted. */
export type RequestSubmittedPayload = {
  event: 'request.submitted';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ServiceRequestEventData;
};

/** The service request after it entered the state. */
export type ServiceRequestEventData = {
  /** ID of the service request. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  /** State of the service request. */
  state: 'submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled';
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
};

/** A service request was approved. */
export type RequestApprovedPayload = {
  event: 'request.approved';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ServiceRequestEventData;
};

/** A record used 75% of its SLA, or the share that its policy says. */
export type SlaBreachWarningPayload = {
  event: 'sla.breach_warning';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: SlaEventData;
};

/** The record, and the calculated time of the warning or breach. */
export type SlaEventData = {
  /** ID of the incident, change or service request. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  priority?: Priority | undefined;
  /** State of the record. */
  state: string;
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
  /** The target of the policy. */
  target: 'acknowledge' | 'resolve';
  /** Time at which the warning was due. */
  warned_at?: string | undefined;
  /** Time of the breach, on breaches. */
  breached_at?: string | undefined;
};

/** A record breached its SLA. */
export type SlaBreachedPayload = {
  event: 'sla.breached';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: SlaEventData;
};

/** A discovery found a new configuration item. */
export type CiDiscoveredPayload = {
  event: 'ci.discovered';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: CiEventData;
};

/** The discovered configuration item. */
export type CiEventData = {
  /** ID of the configuration item. */
  id: string;
  /** Name of the configuration item. */
  name: string;
  /** Class of the configuration item. */
  class: string;
  /** Status of the configuration item. */
  state: 'operational' | 'degraded' | 'down' | 'retired';
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
};

/** Somebody acknowledged an incident. */
export type IncidentAcknowledgedPayload = {
  event: 'incident.acknowledged';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: IncidentEventData;
};

/** Nobody answered a page in time, so the next step is paged. */
export type IncidentEscalatedPayload = {
  event: 'incident.escalated';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: EscalatedIncidentEventData;
};

/** The incident, and the step that is paged now. */
export type EscalatedIncidentEventData = {
  /** ID of the incident. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  priority: Priority;
  /** State of the incident. */
  state: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened';
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
  /** Changed fields with their values before and after, on updates. */
  changes?: Record<string, {
      from: unknown;
      to: unknown;
    }> | undefined;
  /** The step that is paged now. */
  escalation: {
    /** ID of the page. */
    page_id: string;
    /** Step of the escalation policy that is paged now. */
    step: number;
    /** How often all steps were repeated before. */
    repetition: number;
  };
};

/** A problem was created. */
export type ProblemCreatedPayload = {
  event: 'problem.created';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ProblemEventData;
};

/** The problem after the change. */
export type ProblemEventData = {
  /** ID of the problem. */
  id: string;
  /** Summary in one line. */
  short_description: string;
  priority: Priority;
  /** State of the problem. */
  state: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled';
  /** Whether the problem is a known error. */
  known_error: boolean;
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
  /** Changed fields with their values before and after, on updates. */
  changes?: Record<string, {
      from: unknown;
      to: unknown;
    }> | undefined;
};

/** A field of a problem changed. */
export type ProblemUpdatedPayload = {
  event: 'problem.updated';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ProblemEventData;
};

/** A problem was resolved. */
export type ProblemResolvedPayload = {
  event: 'problem.resolved';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: ProblemEventData;
};

/** Test delivery. */
export type PingPayload = {
  event: 'ping';
  /** Time of the change. */
  timestamp: string;
  /** Name of the service instance. */
  service_instance: string;
  data: PingEventData;
};

/** The webhook that is tested. */
export type PingEventData = {
  /** ID of the webhook. */
  id: string;
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API. */
  api_url: string;
};

/** Earlier change. Changes of `state` and `priority` also set the SLA clock. */
export type ImportedChange = {
  /** Time of the change. */
  at: string;
  /** Person or program that made the change. */
  actor: string;
  /** Changed fields with their values before and after. */
  changes: Record<string, {
      from: unknown;
      to: unknown;
    }>;
};

/** Problem details (RFC 9457). */
export type Problem = {
  /** Reference to the page that explains the problem type, relative to the host of the API. */
  type: string;
  /** Short summary of the problem type. */
  title: string;
  /** HTTP status code. */
  status: number;
  /** Explanation of this occurrence. */
  detail: string;
  /** Stable, machine-readable error code. */
  code: string;
  /** Request ID: the value of the `X-Request-Id` header and of the log entries. */
  request_id: string;
  /** All validation problems of the request. */
  errors?: FieldProblem[] | undefined;
  [field: string]: unknown;
};

/** A validation problem with one field. */
export type FieldProblem = {
  /** Name of the field, parameter or header. Nested fields use a path. */
  field: string;
  /** Description of the problem. */
  message: string;
};

/** Health of the service. */
export type Health = {
  status: 'ok';
  /** Service version. */
  version: string;
  /** Name of this service instance, as in webhook payloads. */
  service_instance: string;
  /** Server time (UTC). */
  time: string;
  /** How far lists are behind the table. Present with `search=true`. */
  search?: {
    engine: 'memory' | 'opensearch';
    /** Age of the oldest change that the list of incidents lacks; null if it is unknown. */
    lag_seconds: number | null;
    /** Why the search engine cannot be used. */
    problem?: string | undefined;
  } | undefined;
};

/** OpenAPI document. */
export type ApiDocument = {
  /** Version of the OpenAPI specification. */
  openapi: string;
  /** Name and version of the API. */
  info: {
    title: string;
    version: string;
    [field: string]: unknown;
  };
  /** URL of this instance. */
  servers: {
    url: string;
    [field: string]: unknown;
  }[];
  [field: string]: unknown;
};

/** Profile of the caller. */
export type Profile = {
  /** Subject of the token. */
  id: string;
  /** Email address shown on records written by the caller. */
  email: string;
  /** `user`: a person. `client`: a program with its own credentials. */
  kind: 'user' | 'client';
  /** Roles granted by the token. */
  roles: Role[];
  /** Rate limits of the caller. An owner and the owner's API keys share the `ai_` limits; each has its own general limit. */
  rate_limits: RateLimit[];
};

/** Rate limit of a caller. */
export type RateLimit = {
  /** Routes that share this limit. */
  class: string;
  /** Requests per window. */
  limit: number;
  /** Length of the window in seconds. */
  window_seconds: number;
};

/** Preferences of the caller. */
export type Preferences = {
  /** Saved views of lists. */
  views: SavedViewOutput[];
  notifications: NotificationPreferences;
  /** Time zone of times in the console; null for the time zone of the browser. */
  time_zone: string | null;
};

/** Notifications that the person receives. */
export type NotificationPreferences = {
  /** Incidents assigned to the person. */
  assignments: boolean;
  /** Decisions on changes, requests and proposals of the person. */
  decisions: boolean;
  /** Work notes on incidents that the person works on or opened. */
  notes: boolean;
  /** Work notes that mention the person. */
  mentions: boolean;
  /** Changes, requests and proposals that need approval. */
  approvals: boolean;
  /** SLA warnings and breaches. */
  sla: boolean;
  /** New incidents for the groups that the person follows. */
  incidents: boolean;
  /** Failed deliveries and deactivated webhooks. */
  webhooks: boolean;
  /** Whether the console may show browser notifications. */
  browser: boolean;
};

/** People of the user pool. */
export type PersonList = {
  data: Person[];
  /** Number of matching entries. */
  total: number;
  /** Whether more entries match than the response has. */
  truncated: boolean;
};

/** Person in the user pool. */
export type Person = {
  /** Email address. */
  email: string;
  /** Name in the user pool; null if it has none. */
  name: string | null;
  /** Highest role; null if the person has none. */
  role: Role | null;
};

/** Assignment groups. */
export type GroupList = {
  data: Group[];
  /** Number of matching entries. */
  total: number;
  /** Whether more entries match than the response has. */
  truncated: boolean;
};

/** Assignment group. */
export type Group = {
  /** Name of the group. */
  name: string;
};

/** A page of API keys. */
export type ApiKeyPage = {
  data: ApiKey[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** API key without its secret. */
export type ApiKey = {
  /** ID of the API key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Role of the key. */
  role: Role;
  /** Owner of the key. Records written with the key show this address. */
  owner: string;
  /** Time of creation. */
  created_at: string;
  /** Time of last use, accurate to five minutes; null if never used. */
  last_used_at: string | null;
};

/** API key with its secret. */
export type CreatedApiKey = {
  /** ID of the API key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Role of the key. */
  role: Role;
  /** Owner of the key. Records written with the key show this address. */
  owner: string;
  /** Time of creation. */
  created_at: string;
  /** Time of last use, accurate to five minutes; null if never used. */
  last_used_at: string | null;
  /** API key secret. Returned only in this response. */
  key: string;
};

/** A page of the audit log. */
export type AuditPage = {
  data: AuditEntry[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Security-relevant event. Retained for one year. */
export type AuditEntry = {
  /** ID of the entry. */
  id: string;
  /** Time of the event. */
  at: string;
  /** Type of the event. `sign_in.failed` is an incomplete sign-in attempt: a wrong password or a missing second factor. It becomes `sign_in.succeeded` when the sign-in is completed. Types that begin with `federated_sign_in` are sign-ins with the identity provider of the company; `role.changed` is a role that follows from its groups. */
  type: 'sign_in.succeeded' | 'sign_in.failed' | 'api_key.created' | 'api_key.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook_secret.rotated' | 'record.deleted' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.member_added' | 'group.member_removed' | 'user.created' | 'user.updated' | 'user.enabled' | 'user.disabled' | 'user.deleted' | 'user.password_set' | 'user.password_reset' | 'user.signed_out' | 'client.created' | 'client.updated' | 'client.deleted' | 'federated_sign_in.succeeded' | 'federated_sign_in.rejected' | 'role.changed';
  /** Email address of the actor, or the ARN of the AWS identity that called the user pool. */
  actor: string;
  /** ID of the affected record, API key or client, or an email address. */
  target: string | null;
  /** Address that the request came from. `internal`: the service itself. `unknown`: the source does not report it, such as sign-ins in AWS. */
  source_ip: string;
  /** User agent; null if unknown. */
  user_agent: string | null;
  /** Request ID; null if unknown. */
  request_id: string | null;
  /** Additional details, depending on `type`. Contains no secrets. */
  details: Record<string, string | string[]>;
};

/** A page of incidents. */
export type IncidentPage = {
  data: Incident[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Incident. */
export type Incident = {
  /** ID of the incident. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Summary of the incident in one line. */
  short_description: string;
  priority: Priority;
  /** State of the incident. */
  state: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened';
  /** Full description in Markdown. */
  description: string | null;
  /** Category. */
  category: string | null;
  /** Subcategory. */
  subcategory: string | null;
  /** Impact. */
  impact: 'high' | 'medium' | 'low' | null;
  /** Urgency. */
  urgency: 'high' | 'medium' | 'low' | null;
  /** Group that works on the incident. */
  assignment_group: string | null;
  /** Person who works on the incident. */
  assigned_to: string | null;
  /** Affected configuration item. The service does not check that it exists. */
  ci_id: string | null;
  /** ID of the underlying problem. */
  parent_problem_id: string | null;
  /** ID of the change that caused or fixes the incident. */
  change_id: string | null;
  /** Resolution in Markdown. */
  resolution: string | null;
  /** Time at which the SLA is breached; null while the clock is paused, after its end and without a target. */
  sla_breach_at: string | null;
  /** Time of the breach of the current target; null if it is not breached. */
  sla_breached_at: string | null;
  /** ID in the system that the incident was imported from. */
  external_id: string | null;
  /** Creator of the incident. */
  opened_by: string;
  /** Time of resolution. */
  resolved_at: string | null;
  /** Time of closure. */
  closed_at: string | null;
  /** Time at which somebody took responsibility; null again after a reopening and after a change of the group. */
  acknowledged_at: string | null;
  /** Person or program that acknowledged the incident. */
  acknowledged_by: string | null;
  /** Number of times the incident was reopened. */
  reopen_count: number;
  /** Number of work notes, including private ones. */
  work_notes_count: number;
  /** Suggested resolution, based on similar incidents; null if not available. */
  ai_suggested_resolution: string | null;
  /** Whether the incident is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** A page of changes. */
export type HistoryPage = {
  data: HistoryEntry[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Change of a record. */
export type HistoryEntry = {
  /** Version of the record after the change; 1 is the creation. */
  version: number;
  /** Time of the change. */
  at: string;
  /** Email address of the actor, or the name of the system component. */
  actor: string;
  /** Source of the change. */
  origin: {
    kind: 'api' | 'job' | 'webhook' | 'sla' | 'ai' | 'restore' | 'proposal' | 'page' | 'import';
    /** ID of the job, webhook or proposal that made the change; otherwise null. */
    id: string | null;
  };
  /** Changed fields with their values before and after. */
  changes: Record<string, {
      from: unknown;
      to: unknown;
    }>;
};

/** SLA of an incident. */
export type Sla = {
  incident_id: string;
  /** Priority that defines the target. */
  priority: Priority;
  policy: SlaPolicySummary;
  /** Calendar whose open hours count; null for around the clock. */
  calendar: SlaCalendarSummary | null;
  /** Whether the target is simulated for another priority. */
  simulated: boolean;
  /** Time of the calculation (UTC). */
  at: string;
  /** Current state of the SLA clock. `closed`: it runs again when the calendar opens. */
  clock: 'running' | 'paused' | 'closed' | 'ended';
  /** Share of the target after which a warning is sent. */
  warning_percent: number;
  /** SLA target in minutes. */
  target_minutes: number;
  /** Creation time of the incident (UTC). */
  started_at: string;
  /** Time of resolution or cancellation (UTC); null if open. */
  ended_at: string | null;
  /** Total duration of all intervals. */
  elapsed_ms: number;
  /** Total duration of the running intervals. */
  running_ms: number;
  /** Total duration of the paused intervals. */
  paused_ms: number;
  /** Total duration of the intervals outside the open hours. */
  closed_ms: number;
  /** Time remaining until the breach; negative if breached. */
  remaining_ms: number;
  /** Used share of the target in percent. */
  used_percent: number;
  /** Whether the SLA is breached. */
  breached: boolean;
  /** Time at which the warning is due; null while the clock is paused or ended. */
  warning_at: string | null;
  /** Time at which the SLA is breached; null while the clock is paused or ended. */
  breach_at: string | null;
  /** Time at which the warning was due; null before. */
  warned_at: string | null;
  /** Time of the breach; null if the target is not used up. */
  breached_at: string | null;
  /** Target for the first acknowledgement; null if the policy has none. */
  acknowledge: SlaAcknowledgement | null;
  /** Intervals without gaps, oldest first. */
  intervals: SlaInterval[];
};

/** Policy that defines the targets. */
export type SlaPolicySummary = {
  /** ID of the policy; null for the default targets. */
  id: string | null;
  name: string;
};

/** Calendar of a policy. */
export type SlaCalendarSummary = {
  id: string;
  name: string;
  time_zone: string;
};

/** Target for the first acknowledgement. */
export type SlaAcknowledgement = {
  /** Target in minutes. */
  target_minutes: number;
  /** Time at which the target is used up; null while paused or ended. */
  due_at: string | null;
  /** Time of the first acknowledgement. */
  acknowledged_at: string | null;
  /** Time of the breach; null if the target was met so far. */
  breached_at: string | null;
};

/** Interval in which the SLA clock was running, paused or outside the open hours. */
export type SlaInterval = {
  /** Only `running` counts towards the target. `closed`: outside the open hours of the calendar. */
  clock: 'running' | 'paused' | 'closed';
  /** Start of the interval (UTC). */
  from: string;
  /** End of the interval (UTC); null if it is ongoing. */
  to: string | null;
  /** Duration of the interval so far. */
  duration_ms: number;
};

/** Statistics of incidents. */
export type IncidentStatistics = {
  /** Number of incidents that match the filters. */
  count: number;
  /** Number of resolved incidents. */
  resolved: number;
  /** Mean time until incidents are resolved, in minutes; null if none is resolved. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of resolved incidents within their SLA target. */
  sla_met: number;
  /** Number of resolved incidents beyond their SLA target. */
  sla_breached: number;
  /** Share of resolved incidents within their SLA target; null if none is resolved. */
  sla_attainment: number | null;
  /** Number of acknowledged incidents. */
  acknowledged: number;
  /** Mean time from creation to acknowledgement in minutes; null if none is acknowledged. */
  mean_time_to_acknowledge_minutes: number | null;
  /** Number of incidents that were reopened at least once. */
  reopened: number;
  /** Present with `median=true`: median time until incidents are resolved, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Present with `median=true`: median time from creation to acknowledgement in minutes. */
  median_time_to_acknowledge_minutes?: number | null | undefined;
  /** Present with `group_by`; highest count first unless `sort` says otherwise. */
  groups?: IncidentStatisticsGroup[] | undefined;
  /** Number of incidents in groups beyond the first `top`. */
  other?: number | undefined;
  /** Present with `interval=day`; oldest first, without gaps. */
  days?: IncidentStatisticsPeriod[] | undefined;
  /** Present with `interval=week` or `month`; oldest first, without gaps. */
  periods?: IncidentStatisticsPeriod[] | undefined;
  compared?: IncidentStatisticsCompared | undefined;
  difference?: IncidentStatisticsDifference | undefined;
};

/** The incidents with the same values. */
export type IncidentStatisticsGroup = {
  /** Value of each field in `group_by`; null for no value. */
  values: Record<string, string | null>;
  /** Number of incidents. */
  count: number;
  /** Number of resolved incidents. */
  resolved: number;
  /** Mean time until incidents are resolved, in minutes; null if none is resolved. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of resolved incidents within their SLA target. */
  sla_met: number;
  /** Number of resolved incidents beyond their SLA target. */
  sla_breached: number;
  /** Share of resolved incidents within their SLA target; null if none is resolved. */
  sla_attainment: number | null;
  /** Number of acknowledged incidents. */
  acknowledged: number;
  /** Mean time from creation to acknowledgement in minutes; null if none is acknowledged. */
  mean_time_to_acknowledge_minutes: number | null;
  /** Number of incidents that were reopened at least once. */
  reopened: number;
  /** Present with `median=true`: median time until incidents are resolved, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Present with `median=true`: median time from creation to acknowledgement in minutes. */
  median_time_to_acknowledge_minutes?: number | null | undefined;
};

/** The incidents created and resolved in one period. */
export type IncidentStatisticsPeriod = {
  /** First day (UTC). */
  date: string;
  /** Number of incidents created in this period. */
  created: number;
  /** Number of resolved incidents. */
  resolved: number;
  /** Mean time until incidents are resolved, in minutes; null if none is resolved. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of resolved incidents within their SLA target. */
  sla_met: number;
  /** Number of resolved incidents beyond their SLA target. */
  sla_breached: number;
  /** Share of resolved incidents within their SLA target; null if none is resolved. */
  sla_attainment: number | null;
  /** Number of acknowledged incidents. */
  acknowledged: number;
  /** Mean time from creation to acknowledgement in minutes; null if none is acknowledged. */
  mean_time_to_acknowledge_minutes: number | null;
  /** Number of incidents that were reopened at least once. */
  reopened: number;
};

/** Present with `compare`: the figures with its filters. */
export type IncidentStatisticsCompared = {
  /** Number of incidents that match the filters. */
  count: number;
  /** Number of resolved incidents. */
  resolved: number;
  /** Mean time until incidents are resolved, in minutes; null if none is resolved. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of resolved incidents within their SLA target. */
  sla_met: number;
  /** Number of resolved incidents beyond their SLA target. */
  sla_breached: number;
  /** Share of resolved incidents within their SLA target; null if none is resolved. */
  sla_attainment: number | null;
  /** Number of acknowledged incidents. */
  acknowledged: number;
  /** Mean time from creation to acknowledgement in minutes; null if none is acknowledged. */
  mean_time_to_acknowledge_minutes: number | null;
  /** Number of incidents that were reopened at least once. */
  reopened: number;
  /** Present with `median=true`: median time until incidents are resolved, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Present with `median=true`: median time from creation to acknowledgement in minutes. */
  median_time_to_acknowledge_minutes?: number | null | undefined;
};

/** Present with `compare`: each figure minus the compared one. */
export type IncidentStatisticsDifference = {
  /** Difference of `count`; null if one is null. */
  count?: number | null | undefined;
  /** Difference of `resolved`; null if one is null. */
  resolved?: number | null | undefined;
  /** Difference of `mean_time_to_resolve_minutes`; null if one is null. */
  mean_time_to_resolve_minutes?: number | null | undefined;
  /** Difference of `sla_met`; null if one is null. */
  sla_met?: number | null | undefined;
  /** Difference of `sla_breached`; null if one is null. */
  sla_breached?: number | null | undefined;
  /** Difference of `sla_attainment`; null if one is null. */
  sla_attainment?: number | null | undefined;
  /** Difference of `acknowledged`; null if one is null. */
  acknowledged?: number | null | undefined;
  /** Difference of `mean_time_to_acknowledge_minutes`; null if one is null. */
  mean_time_to_acknowledge_minutes?: number | null | undefined;
  /** Difference of `reopened`; null if one is null. */
  reopened?: number | null | undefined;
  /** Difference of `median_time_to_resolve_minutes`; null if one is null. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Difference of `median_time_to_acknowledge_minutes`; null if one is null. */
  median_time_to_acknowledge_minutes?: number | null | undefined;
};

/** Statistics of changes. */
export type ChangeStatistics = {
  /** Number of changes that match the filters. */
  count: number;
  /** Number of completed changes. */
  resolved: number;
  /** Mean time until changes are completed, in minutes; null if none is completed. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until changes are completed, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Present with `group_by`; highest count first unless `sort` says otherwise. */
  groups?: ChangeStatisticsGroup[] | undefined;
  /** Number of changes in groups beyond the first `top`. */
  other?: number | undefined;
  /** Present with `interval=day`; oldest first, without gaps. */
  days?: ChangeStatisticsPeriod[] | undefined;
  /** Present with `interval=week` or `month`; oldest first, without gaps. */
  periods?: ChangeStatisticsPeriod[] | undefined;
  compared?: ChangeStatisticsCompared | undefined;
  difference?: ChangeStatisticsDifference | undefined;
};

/** The changes with the same values. */
export type ChangeStatisticsGroup = {
  /** Value of each field in `group_by`; null for no value. */
  values: Record<string, string | null>;
  /** Number of changes. */
  count: number;
  /** Number of completed changes. */
  resolved: number;
  /** Mean time until changes are completed, in minutes; null if none is completed. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until changes are completed, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** The changes created and completed in one period. */
export type ChangeStatisticsPeriod = {
  /** First day (UTC). */
  date: string;
  /** Number of changes created in this period. */
  created: number;
  /** Number of completed changes. */
  resolved: number;
  /** Mean time until changes are completed, in minutes; null if none is completed. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
};

/** Present with `compare`: the figures with its filters. */
export type ChangeStatisticsCompared = {
  /** Number of changes that match the filters. */
  count: number;
  /** Number of completed changes. */
  resolved: number;
  /** Mean time until changes are completed, in minutes; null if none is completed. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until changes are completed, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** Present with `compare`: each figure minus the compared one. */
export type ChangeStatisticsDifference = {
  /** Difference of `count`; null if one is null. */
  count?: number | null | undefined;
  /** Difference of `resolved`; null if one is null. */
  resolved?: number | null | undefined;
  /** Difference of `mean_time_to_resolve_minutes`; null if one is null. */
  mean_time_to_resolve_minutes?: number | null | undefined;
  /** Difference of `sla_met`; null if one is null. */
  sla_met?: number | null | undefined;
  /** Difference of `sla_breached`; null if one is null. */
  sla_breached?: number | null | undefined;
  /** Difference of `sla_attainment`; null if one is null. */
  sla_attainment?: number | null | undefined;
  /** Difference of `median_time_to_resolve_minutes`; null if one is null. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** Statistics of requests. */
export type RequestStatistics = {
  /** Number of requests that match the filters. */
  count: number;
  /** Number of fulfilled requests. */
  resolved: number;
  /** Mean time until requests are fulfilled, in minutes; null if none is fulfilled. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until requests are fulfilled, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
  /** Present with `group_by`; highest count first unless `sort` says otherwise. */
  groups?: RequestStatisticsGroup[] | undefined;
  /** Number of requests in groups beyond the first `top`. */
  other?: number | undefined;
  /** Present with `interval=day`; oldest first, without gaps. */
  days?: RequestStatisticsPeriod[] | undefined;
  /** Present with `interval=week` or `month`; oldest first, without gaps. */
  periods?: RequestStatisticsPeriod[] | undefined;
  compared?: RequestStatisticsCompared | undefined;
  difference?: RequestStatisticsDifference | undefined;
};

/** The requests with the same values. */
export type RequestStatisticsGroup = {
  /** Value of each field in `group_by`; null for no value. */
  values: Record<string, string | null>;
  /** Number of requests. */
  count: number;
  /** Number of fulfilled requests. */
  resolved: number;
  /** Mean time until requests are fulfilled, in minutes; null if none is fulfilled. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until requests are fulfilled, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** The requests created and fulfilled in one period. */
export type RequestStatisticsPeriod = {
  /** First day (UTC). */
  date: string;
  /** Number of requests created in this period. */
  created: number;
  /** Number of fulfilled requests. */
  resolved: number;
  /** Mean time until requests are fulfilled, in minutes; null if none is fulfilled. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
};

/** Present with `compare`: the figures with its filters. */
export type RequestStatisticsCompared = {
  /** Number of requests that match the filters. */
  count: number;
  /** Number of fulfilled requests. */
  resolved: number;
  /** Mean time until requests are fulfilled, in minutes; null if none is fulfilled. */
  mean_time_to_resolve_minutes: number | null;
  /** Number of finished records within their SLA target. */
  sla_met: number;
  /** Number of finished records beyond their SLA target. */
  sla_breached: number;
  /** Share of finished records within their SLA target; null if none had a target. */
  sla_attainment: number | null;
  /** Present with `median=true`: median time until requests are fulfilled, in minutes. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** Present with `compare`: each figure minus the compared one. */
export type RequestStatisticsDifference = {
  /** Difference of `count`; null if one is null. */
  count?: number | null | undefined;
  /** Difference of `resolved`; null if one is null. */
  resolved?: number | null | undefined;
  /** Difference of `mean_time_to_resolve_minutes`; null if one is null. */
  mean_time_to_resolve_minutes?: number | null | undefined;
  /** Difference of `sla_met`; null if one is null. */
  sla_met?: number | null | undefined;
  /** Difference of `sla_breached`; null if one is null. */
  sla_breached?: number | null | undefined;
  /** Difference of `sla_attainment`; null if one is null. */
  sla_attainment?: number | null | undefined;
  /** Difference of `median_time_to_resolve_minutes`; null if one is null. */
  median_time_to_resolve_minutes?: number | null | undefined;
};

/** A page of notes. */
export type WorkNotePage = {
  data: WorkNote[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Work note of an incident. Notes cannot be changed. */
export type WorkNote = {
  /** ID of the note. */
  id: string;
  /** Author of the note. */
  author: string;
  /** Time of creation. */
  created_at: string;
  /** ID of the incident. */
  incident_id: string;
  /** Text in Markdown. */
  body: string;
  /** Visibility. Only the author and managers can see private notes. */
  visibility: 'team' | 'public' | 'private';
  /** Attachments: links as they were given, then uploaded files. */
  attachments: Attachment[];
};

/** Attachment of a note: an uploaded file, or a link to a file. */
export type Attachment = {
  /** File name. */
  filename: string;
  /** Media type. */
  content_type: string;
  /** Size in bytes. */
  size_bytes: number;
  /** URL of the file. For an uploaded file, the operation that returns a URL to download it. */
  url: string;
  /** ID of an uploaded file; absent for a file stored elsewhere. */
  id?: string | undefined;
};

/** File whose bytes the caller uploads next. */
export type CreatedFile = {
  /** ID of the record to which a note with the file will be added. */
  record_id: string;
  /** File name. */
  filename: string;
  /** Media type. The service compares it with the content. */
  content_type: 'text/plain' | 'text/csv' | 'text/markdown' | 'application/json' | 'message/rfc822' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/webm' | 'application/pdf' | 'application/zip' | 'application/gzip' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  /** Exact size in bytes. */
  size_bytes: number;
  /** ID of the attachment. */
  id: string;
  /** `pending`: the upload is not complete. `available`: the file can be downloaded and added to a note. */
  state: 'pending' | 'available';
  /** Note that has the file; null until a note refers to it. */
  note_id: string | null;
  /** Caller who uploads the file. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  upload: FileUpload;
};

/** Request that uploads the file. */
export type FileUpload = {
  method: 'PUT';
  /** Where to send the bytes of the file, once. */
  url: string;
  /** Headers to send. The size and the content type are part of the signature. */
  headers: Record<string, string>;
  /** Time at which the URL expires. */
  expires_at: string;
};

/** File that is stored by the service. */
export type AttachedFile = {
  /** ID of the record to which a note with the file will be added. */
  record_id: string;
  /** File name. */
  filename: string;
  /** Media type. The service compares it with the content. */
  content_type: 'text/plain' | 'text/csv' | 'text/markdown' | 'application/json' | 'message/rfc822' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/webm' | 'application/pdf' | 'application/zip' | 'application/gzip' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  /** Exact size in bytes. */
  size_bytes: number;
  /** ID of the attachment. */
  id: string;
  /** `pending`: the upload is not complete. `available`: the file can be downloaded and added to a note. */
  state: 'pending' | 'available';
  /** Note that has the file; null until a note refers to it. */
  note_id: string | null;
  /** Caller who uploads the file. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
};

/** File with a URL to download it. */
export type DownloadableFile = {
  /** ID of the record to which a note with the file will be added. */
  record_id: string;
  /** File name. */
  filename: string;
  /** Media type. The service compares it with the content. */
  content_type: 'text/plain' | 'text/csv' | 'text/markdown' | 'application/json' | 'message/rfc822' | 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'video/mp4' | 'video/webm' | 'application/pdf' | 'application/zip' | 'application/gzip' | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  /** Exact size in bytes. */
  size_bytes: number;
  /** ID of the attachment. */
  id: string;
  /** `pending`: the upload is not complete. `available`: the file can be downloaded and added to a note. */
  state: 'pending' | 'available';
  /** Note that has the file; null until a note refers to it. */
  note_id: string | null;
  /** Caller who uploads the file. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  /** URL of the file, valid for five minutes and without authentication; null while `pending`. */
  download_url: string | null;
};

/** A page of problems. */
export type ProblemRecordPage = {
  data: ProblemRecord[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Problem: the cause of one or more incidents. */
export type ProblemRecord = {
  /** ID of the problem. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Summary of the problem in one line. */
  short_description: string;
  priority: Priority;
  /** State of the problem. */
  state: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled';
  /** Whether the problem is a known error, whose workaround is offered for similar incidents. Requires `root_cause` or `workaround`. */
  known_error: boolean;
  /** Related changes, such as the one that fixes the problem. They must exist. */
  change_ids: string[];
  /** Full description in Markdown. */
  description: string | null;
  /** Group that works on the problem. */
  assignment_group: string | null;
  /** Person who works on the problem. */
  assigned_to: string | null;
  /** Root cause in Markdown. */
  root_cause: string | null;
  /** How to restore the service until the problem is fixed, in Markdown. */
  workaround: string | null;
  /** Configuration item with the fault. The service does not check that it exists. */
  ci_id: string | null;
  /** Creator of the problem. */
  opened_by: string;
  /** Time of resolution. */
  resolved_at: string | null;
  /** Time of closure. */
  closed_at: string | null;
  /** Whether the problem is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** A page of notes. */
export type RecordNotePage = {
  data: RecordNote[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Note of a record. Notes cannot be changed. */
export type RecordNote = {
  /** ID of the note. */
  id: string;
  /** Author of the note. */
  author: string;
  /** Time of creation. */
  created_at: string;
  /** ID of the record. */
  record_id: string;
  /** Text in Markdown. */
  body: string;
  /** Visibility. Only the author and managers can see private notes. */
  visibility: 'team' | 'public' | 'private';
  /** Attachments: links as they were given, then uploaded files. */
  attachments: Attachment[];
};

/** Links of a record. */
export type LinkList = {
  links: Link[];
};

/** Link to another record. */
export type Link = {
  /** Type of the link, as the record that lists it sees it: the other side of `caused_by` is `causes`. */
  type: 'duplicate_of' | 'caused_by' | 'related_to' | 'duplicated_by' | 'causes';
  /** ID of the linked incident, problem or change. */
  record_id: string;
  /** Type of the linked record. */
  record_type: 'incident' | 'problem' | 'change';
  /** Summary of the linked record; null if it was deleted. */
  short_description: string | null;
  /** State of the linked record; null if it was deleted. */
  state: string | null;
  /** Time of creation of the link. */
  created_at: string;
  /** Creator of the link. */
  created_by: string;
};

/** A page of configuration items. */
export type CiPage = {
  data: Ci[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Configuration item. */
export type Ci = {
  /** ID of the configuration item. */
  id: string;
  /** Name of the item. */
  name: string;
  /** Class of the item, such as server, database or service. */
  class: string;
  /** Operational status. */
  status: 'operational' | 'degraded' | 'down' | 'retired';
  /** Additional attributes. In an update, null removes a key. */
  attributes: Record<string, unknown>;
  /** Relations to other items, which need not exist yet. An update replaces the whole list. */
  relations: CiRelation[];
  /** Environment, such as production. */
  environment: string | null;
  /** Person or team responsible. */
  owner: string | null;
  /** Location. */
  location: string | null;
  /** IP address. */
  ip_address: string | null;
  /** Time of first discovery; null if the item was created manually. */
  discovered_at: string | null;
  /** Whether the item is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Items and open incidents that depend on a configuration item. */
export type CiImpact = {
  ci: {
    /** ID of the configuration item. */
    id: string;
    name: string;
    class: string;
    status: 'operational' | 'degraded' | 'down' | 'retired';
    environment: string | null;
  };
  /** Dependent items, nearest first. */
  affected: AffectedCi[];
  /** Number of dependent items found within `depth`. */
  affected_total: number;
  /** Open incidents, newest first. */
  open_incidents: OpenIncident[];
  /** Which parts of the response are incomplete. */
  truncated: {
    /** Whether more items exist beyond `limit` or `depth`. */
    affected: boolean;
    /** Whether more open incidents exist. */
    open_incidents: boolean;
  };
};

/** Item that depends on the configuration item. */
export type AffectedCi = {
  /** ID of the configuration item. */
  id: string;
  name: string;
  class: string;
  status: 'operational' | 'degraded' | 'down' | 'retired';
  environment: string | null;
  /** Length of the shortest path from the requested item. */
  distance: number;
  /** Relation to the previous item on the path. */
  via: CiRelation;
};

/** Open incident of the configuration item. */
export type OpenIncident = {
  /** ID of the incident. */
  id: string;
  short_description: string;
  priority: Priority;
  state: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened';
  assignment_group: string | null;
  /** Time of creation. */
  created_at: string;
};

/** A page of changes. */
export type ChangePage = {
  data: Change[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Change request. */
export type Change = {
  /** ID of the change. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Summary of the change in one line. */
  short_description: string;
  /** Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent. */
  type: 'standard' | 'normal' | 'emergency';
  /** Risk of the change. */
  risk: 'low' | 'medium' | 'high';
  /** State of the change. */
  state: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled';
  /** Description and reason in Markdown. */
  description: string | null;
  /** Steps of the implementation in Markdown. */
  implementation_plan: string | null;
  /** Steps that undo the change, in Markdown. */
  backout_plan: string | null;
  /** Checks after the implementation in Markdown. */
  test_plan: string | null;
  /** Planned start of the work. */
  planned_start: string | null;
  /** Planned end of the work. Must be after `planned_start`. */
  planned_end: string | null;
  /** Group that implements the change. */
  assignment_group: string | null;
  /** Person who implements the change. */
  assigned_to: string | null;
  /** Affected configuration items. The service does not check that they exist. */
  ci_ids: string[];
  /** Whether alerts of the affected items page nobody while the change is in `implementing`. */
  suppress_pages: boolean;
  /** Caller who created the record. */
  requested_by: string;
  /** Caller who approved or rejected the record. */
  decision_by: string | null;
  /** Time of the decision. */
  decision_at: string | null;
  /** Note on the decision. */
  decision_note: string | null;
  /** Time at which the SLA is breached; null while the clock is paused, after its end and without a target. */
  sla_breach_at: string | null;
  /** Time of the breach of the current target; null if it is not breached. */
  sla_breached_at: string | null;
  /** Whether the change is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Planned changes and their collisions. */
export type ChangeCalendar = {
  /** Changes ordered by planned start, at most 500. */
  data: CalendarEntry[];
  /** Collisions ordered by start, at most 500. */
  collisions: Collision[];
  /** Total number of changes in the range. */
  total: number;
  /** Total number of collisions between the returned changes. */
  collisions_total: number;
  /** Which parts of the response are incomplete. */
  truncated: {
    /** Whether `data` is incomplete. Collisions cover only the returned changes. */
    changes: boolean;
    /** Whether `collisions` is incomplete. */
    collisions: boolean;
    /** Whether the dependency graph was too large to follow completely, so that collisions may be missing. */
    dependencies: boolean;
  };
};

/** Change in the calendar. */
export type CalendarEntry = {
  /** ID of the change. */
  id: string;
  /** Summary of the change in one line. */
  short_description: string;
  /** Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent. */
  type: 'standard' | 'normal' | 'emergency';
  /** Risk of the change. */
  risk: 'low' | 'medium' | 'high';
  /** State of the change. */
  state: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled';
  /** Affected configuration items. The service does not check that they exist. */
  ci_ids: string[];
  /** Planned start of the work. */
  planned_start: string;
  /** Planned end of the work. */
  planned_end: string;
  /** Group that implements the change. */
  assignment_group: string | null;
  /** Person who implements the change. */
  assigned_to: string | null;
};

/** Two changes that may conflict. */
export type Collision = {
  /** IDs of the two changes, the earlier one first. */
  change_ids: [string, string];
  /** Start of the overlap. */
  from: string;
  /** End of the overlap. */
  to: string;
  /** `same_ci`: both affect the same item. `dependency`: one affects an item that an item of the other depends on. */
  reason: 'same_ci' | 'dependency';
  /** Configuration items in conflict. */
  ci_ids: string[];
};

/** Changes that may conflict with a window. */
export type ChangeCollisions = {
  /** Colliding changes ordered by planned start. */
  data: CollidingChange[];
  /** Which parts of the check are incomplete. */
  truncated: {
    /** Whether more than 500 changes overlap the window. The others were not checked. */
    changes: boolean;
    /** Whether the dependency graph was too large to follow completely, so that collisions may be missing. */
    dependencies: boolean;
  };
};

/** Change that may conflict with the window. */
export type CollidingChange = {
  change: CalendarEntry;
  /** Start of the overlap. */
  from: string;
  /** End of the overlap. */
  to: string;
  /** `same_ci`: both affect the same item. `dependency`: one affects an item that an item of the other depends on. */
  reason: 'same_ci' | 'dependency';
  /** Configuration items in conflict. */
  ci_ids: string[];
};

/** A page of service requests. */
export type ServiceRequestPage = {
  data: ServiceRequest[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Service request. */
export type ServiceRequest = {
  /** ID of the service request. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Summary of the request in one line. */
  short_description: string;
  /** Quantity. */
  quantity: number;
  /** State of the request. */
  state: 'submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled';
  /** Description and purpose in Markdown. */
  description: string | null;
  /** Requested catalog item. */
  item: string | null;
  /** Person who receives the item. */
  requested_for: string | null;
  /** Caller who created the record. */
  requested_by: string;
  /** Caller who approved or rejected the record. */
  decision_by: string | null;
  /** Time of the decision. */
  decision_at: string | null;
  /** Note on the decision. */
  decision_note: string | null;
  /** Time at which the SLA is breached; null while the clock is paused, after its end and without a target. */
  sla_breach_at: string | null;
  /** Time of the breach of the current target; null if it is not breached. */
  sla_breached_at: string | null;
  /** Whether the service request is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Items that can be requested. */
export type RequestCatalog = {
  items: CatalogItem[];
};

/** Item that can be requested. */
export type CatalogItem = {
  /** Name of the item, the value of `item` in requests. */
  name: string;
  /** Description of the item. */
  description: string;
};

/** A page of proposals. */
export type ProposalPage = {
  data: Proposal[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Proposed change of a record. */
export type Proposal = {
  /** ID of the proposal. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Operation that the proposal asks for. */
  operation: 'createIncident' | 'updateIncident' | 'createCi' | 'updateCi';
  /** Body of the operation. It is validated when the proposal is created and again when it is applied. */
  body: Record<string, unknown>;
  /** Why the change is right, in Markdown: what was observed, and where. */
  evidence: string;
  /** ID of the record to update; null to create one. After the creation, the new record. */
  record_id: string | null;
  /** ETag that the record must have when the proposal is applied. */
  if_match: string | null;
  /** State of the proposal. */
  state: 'pending' | 'approved' | 'rejected' | 'applied' | 'failed';
  /** Why the operation failed after the approval. */
  error: {
    code: string;
    detail: string;
  } | null;
  /** Group of the record, which is notified of the proposal. */
  assignment_group: string | null;
  /** Caller who created the record. */
  requested_by: string;
  /** Caller who approved or rejected the record. */
  decision_by: string | null;
  /** Time of the decision. */
  decision_at: string | null;
  /** Note on the decision. */
  decision_note: string | null;
  /** Whether the proposal is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Accepted job. */
export type JobAccepted = {
  /** ID of the job. */
  job_id: string;
  status: JobStatus;
  /** Number of records in the request. */
  total: number;
};

/** `queued`: waiting for a worker. `completed`: all records succeeded. `completed_with_errors`: some records failed. `failed`: no record succeeded. A finished job does not change. */
export type JobStatus = 'queued' | 'running' | 'completed' | 'completed_with_errors' | 'failed';

/** A page of jobs. */
export type JobPage = {
  data: JobSummary[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Job without the results per record. */
export type JobSummary = {
  /** ID of the job. */
  job_id: string;
  /** Type of the records. */
  record_type: 'incident' | 'ci' | 'problem';
  /** Requested operation. */
  operation: 'update' | 'create' | 'discover' | 'import' | 'resolve';
  status: JobStatus;
  /** Number of records in the request. */
  total: number;
  /** Number of processed records. */
  processed: number;
  /** Number of records that succeeded. */
  succeeded: number;
  /** Number of records that failed. */
  failed: number;
  /** Creator of the job. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  /** Start time; null while queued. */
  started_at: string | null;
  /** Completion time; null while in progress. */
  finished_at: string | null;
};

/** Bulk job. Retained for 30 days. */
export type Job = {
  /** ID of the job. */
  job_id: string;
  /** Type of the records. */
  record_type: 'incident' | 'ci' | 'problem';
  /** Requested operation. */
  operation: 'update' | 'create' | 'discover' | 'import' | 'resolve';
  status: JobStatus;
  /** Number of records in the request. */
  total: number;
  /** Number of processed records. */
  processed: number;
  /** Number of records that succeeded. */
  succeeded: number;
  /** Number of records that failed. */
  failed: number;
  /** Creator of the job. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  /** Start time; null while queued. */
  started_at: string | null;
  /** Completion time; null while in progress. */
  finished_at: string | null;
  /** Results in the order of the request. */
  results: JobResult[];
};

/** Result for one record. */
export type JobResult = {
  /** Zero-based position of the record in the request. */
  index: number;
  /** ID of the record; null if none was created. */
  id: string | null;
  status: 'succeeded' | 'failed';
  /** True if an earlier import created the record; nothing was changed. */
  already_exists?: boolean | undefined;
  error?: JobItemError | undefined;
};

/** Reason a record failed. */
export type JobItemError = {
  /** Error code, as in a problem response. */
  code: 'invalid_input' | 'malformed_json' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'invalid_transition' | 'already_approved' | 'idempotency_key_in_flight' | 'limit_reached' | 'in_use' | 'webhook_inactive' | 'precondition_failed' | 'payload_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'mapping_failed' | 'rate_limited' | 'internal_error' | 'unavailable' | 'model_access_denied' | 'model_not_in_region' | 'model_retired' | 'model_throttled';
  /** Explanation of the error. */
  detail: string;
  /** All validation problems of the record. */
  errors?: {
    field: string;
    message: string;
  }[] | undefined;
  /** Allowed states. */
  allowed_transitions?: string[] | undefined;
};

/** A page of inbound webhooks. */
export type InboundWebhookPage = {
  data: InboundWebhook[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Inbound webhook. */
export type InboundWebhook = {
  /** ID of the webhook. */
  id: string;
  /** URL to send events to. */
  url: string;
  /** Signing secret. Returned only on creation, on rotation and when `secret_enabled` becomes true. */
  secret?: string | undefined;
  /** Creation time of the secret; null if there is none. */
  secret_created_at: string | null;
  /** Time until which previous secrets are accepted. */
  previous_secret_until: string | null;
  /** Creator of the webhook. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
  /** Sending system. Provides the action, its conditions, mapping, rules and deduplication key that the request does not set. */
  preset: 'alertmanager' | 'grafana' | 'cloudwatch' | 'datadog' | 'sentry' | 'github' | 'pagerduty' | null;
  /** Display name. Incidents created by the webhook show an address derived from it. */
  name: string;
  /** Description of the webhook. */
  description: string | null;
  /** Action to take for an event. `resolve_incident` passes through `in_progress` if the state machine requires it. */
  action: 'create_incident' | 'update_incident' | 'resolve_incident' | 'add_note';
  /** Templates by field. A template is text with placeholders such as `{{a.b[0].c}}`. `{{payload.a}}` and `{{$.a}}` are aliases of `{{a}}`, and the template `$.a.b` is short for `{{a.b}}`. Filters: `default:"x"`, `upper`, `lower`, `truncate:n`, `map:"crit=P1,warn=P2"`. Missing values render as empty text; fields that render empty are not set. */
  field_mapping: Record<string, string>;
  /** Conditions on the payload of every event, also of events that a rule matches. All must match. At most 8,000 bytes as JSON. */
  filters: WebhookFilter[];
  /** Conditions for the webhook's own `action`, in addition to `filters`. All must match. At most 8,000 bytes as JSON. */
  when: WebhookFilter[];
  /** Further actions, in order. The first rule whose conditions match replaces the `when`, `action` and `field_mapping` of the webhook for that event, so that one webhook can create, update and resolve an incident. `filters` apply to rules too. */
  rules: InboundRuleOutput[];
  /** Template for the ID of the incident to update, for example `{{ticket}}`. */
  incident_id: string | null;
  /** Template for the deduplication key. Events with the same key update the open incident instead of creating a new one. */
  dedup_key: string | null;
  /** ID of a webhook to share deduplication keys with, so that one can resolve incidents the other created. */
  dedup_scope: string | null;
  /** ARN of the Amazon SNS topic whose messages are accepted. Required for the preset `cloudwatch`, and only for it. Messages of other topics are rejected, and their subscriptions are not confirmed. null for a webhook of an earlier release, which accepts messages of all topics and confirms no further subscription until a topic is set. */
  topic_arn: string | null;
  /** Whether events need a signature or an access token. */
  secret_enabled: boolean;
  /** Whether a repeated body, signed with `X-Service-Signature` or `X-Hub-Signature-256`, counts as a new event within 24 hours. false protects against replay attacks. Use true for senders whose bodies contain no timestamp or ID and that do not support Standard Webhooks. */
  accept_repeated_bodies: boolean;
  /** Whether events are accepted. An inactive webhook returns 404 to senders. */
  active: boolean;
};

/** Result of a received event. */
export type ReceivedAnswer = {
  /** ID of the received event. */
  event_id: string;
  /** `created`: an incident was created. `updated`: an incident was updated. `deduplicated`: nothing changed. `filtered`: the filters or conditions did not match. `ignored`: no open incident has the deduplication key. `confirmed`: the event confirmed a subscription. */
  status: 'created' | 'updated' | 'deduplicated' | 'filtered' | 'ignored' | 'confirmed';
  /** ID of the incident. */
  incident_id: string | null;
  /** Deduplication key of the event. If the sender left it out, the ID of the event. */
  dedup_key?: string | undefined;
};

/** Result of a test. */
export type InboundLabResult = {
  /** Status the event would get. */
  status: 'created' | 'updated' | 'deduplicated' | 'filtered' | 'ignored' | 'confirmed' | 'failed';
  /** Index of the rule that applies; null for the action of the webhook itself. */
  rule: number | null;
  /** Whether all filters and conditions match. */
  passed: boolean;
  /** Result of each filter, then of each condition of the action. */
  filters: {
    field: string;
    operator: string;
    value: unknown;
    /** Value in the payload; null if absent. */
    actual: unknown;
    passed: boolean;
  }[];
  dedup_key: string | null;
  /** ID of the matching incident; null if there is none. */
  incident_id: string | null;
  /** Rendered templates. */
  rendered: Record<string, string>;
  /** Fields that would be written; null if they are invalid. */
  incident: Record<string, unknown> | null;
  /** Validation problems. */
  errors: {
    field: string;
    message: string;
  }[];
};

/** A page of received events. */
export type InboundEventPage = {
  data: InboundEventSummary[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Received event without its payload. Retained for 30 days. */
export type InboundEventSummary = {
  /** ID of the received event. */
  id: string;
  /** ID of the webhook. */
  webhook_id: string;
  /** Time of receipt. */
  received_at: string;
  /** `created`: an incident was created. `updated`: an incident was updated. `deduplicated`: nothing changed. `filtered`: the filters or conditions did not match. `ignored`: no open incident has the deduplication key. `confirmed`: the event confirmed a subscription. `failed`: the mapping did not produce a valid incident. */
  status: 'created' | 'updated' | 'deduplicated' | 'filtered' | 'ignored' | 'confirmed' | 'failed';
  /** ID of the incident. */
  incident_id: string | null;
  /** Deduplication key of the payload. */
  dedup_key: string | null;
  /** How the sender was authenticated. */
  proof: 'none' | 'service_signature' | 'hub_signature' | 'standard_webhooks' | 'token' | 'replay' | 'sns_signature';
  /** Size of the body. */
  size_bytes: number;
  /** ID of the replayed event; null if this is not a replay. */
  replay_of: string | null;
  /** Reason for the failure. */
  error: {
    detail: string;
    errors: {
      field: string;
      message: string;
    }[];
  } | null;
};

/** Received event. */
export type InboundEvent = {
  /** ID of the received event. */
  id: string;
  /** ID of the webhook. */
  webhook_id: string;
  /** Time of receipt. */
  received_at: string;
  /** `created`: an incident was created. `updated`: an incident was updated. `deduplicated`: nothing changed. `filtered`: the filters or conditions did not match. `ignored`: no open incident has the deduplication key. `confirmed`: the event confirmed a subscription. `failed`: the mapping did not produce a valid incident. */
  status: 'created' | 'updated' | 'deduplicated' | 'filtered' | 'ignored' | 'confirmed' | 'failed';
  /** ID of the incident. */
  incident_id: string | null;
  /** Deduplication key of the payload. */
  dedup_key: string | null;
  /** How the sender was authenticated. */
  proof: 'none' | 'service_signature' | 'hub_signature' | 'standard_webhooks' | 'token' | 'replay' | 'sns_signature';
  /** Size of the body. */
  size_bytes: number;
  /** ID of the replayed event; null if this is not a replay. */
  replay_of: string | null;
  /** Reason for the failure. */
  error: {
    detail: string;
    errors: {
      field: string;
      message: string;
    }[];
  } | null;
  /** Received payload. */
  payload: unknown;
};

/** Rejected calls of an inbound webhook. */
export type InboundRejectionPage = {
  data: InboundRejection[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Rejected call. Its content is not stored. */
export type InboundRejection = {
  /** Time of the call. */
  at: string;
  /** `inactive`: the webhook is inactive. `no_signature`: neither a signature nor an access token. `invalid_signature`: the signature does not match the body and the secret. `stale_timestamp`: `webhook-timestamp` is more than 5 minutes off. `invalid_token`: the access token is invalid or not of an agent. `other_topic`: Amazon SNS signed the message, but its topic is not `topic_arn`. `too_large`: the body exceeds 256 KB. `not_json`: the body is not JSON. `rate_limited`: more than 100 events per second. `key_reused`: the same event ID with another body. */
  reason: 'inactive' | 'no_signature' | 'invalid_signature' | 'stale_timestamp' | 'invalid_token' | 'other_topic' | 'too_large' | 'not_json' | 'rate_limited' | 'key_reused';
  /** HTTP status of the response. */
  status: number;
  /** Size of the body. */
  size_bytes: number;
};

/** A page of outbound webhooks. */
export type OutboundWebhookPage = {
  data: OutboundWebhook[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Outbound webhook. */
export type OutboundWebhook = {
  /** ID of the webhook. */
  id: string;
  /** Signing secret. Returned only on creation, on rotation, when `sign_payloads` becomes true, and when the origin of `url` changes. */
  secret?: string | undefined;
  /** Headers and secrets that were removed because an update changed the origin of `url`. Present only in the response to that update. */
  notices?: {
    code: 'headers_dropped' | 'secret_replaced';
    message: string;
  }[] | undefined;
  /** Reason the service deactivated the webhook; null if it did not. */
  disabled_reason: string | null;
  /** Owner of the webhook, who is notified of failed deliveries. */
  created_by: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
  /** Display name. */
  name: string;
  /** URL to deliver events to: https at a public address. A local installation also accepts loopback addresses. */
  url: string;
  /** Event types to deliver. */
  events: EventType[];
  /** Conditions on the event, all of which must match: `event`, `changes.state.to`, `data.<field of the payload>`, and `incident.<field>`, `change.<field>`, `request.<field>` or `ci.<field>` for every field of the record. Unknown fields are rejected. */
  filters: WebhookFilter[];
  /** Format of the request body. `service`: `event`, `timestamp`, `service_instance` and `data`. `cloudevents`: CloudEvents 1.0 in structured mode. `slack`: message for a Slack incoming webhook. `teams`: Adaptive Card for a Microsoft Teams workflow. */
  format: 'service' | 'cloudevents' | 'slack' | 'teams';
  /** Whether to sign deliveries with the secret. */
  sign_payloads: boolean;
  /** Whether to deliver events. Deactivating the webhook cancels pending deliveries. */
  active: boolean;
  /** Seconds in which the whole response must arrive. */
  timeout_seconds: number;
  /** Inbound webhook that the receiver uses. Changes made through it are not delivered to the receiver unless `include_own` is true. */
  inbound_webhook_id: string | null;
  /** API client that the receiver uses (its `id` in `GET /me`). Changes made by that client, including bulk jobs, are not delivered to the receiver unless `include_own` is true. */
  client_id: string | null;
  /** Whether to deliver changes that the receiver made itself. */
  include_own: boolean;
  /** Headers sent with each delivery. Their values are never returned. */
  headers: Record<string, '[hidden]'>;
};

/** Delivery without attempts and payload. */
export type DeliverySummary = {
  /** ID of the delivery (header `X-Service-Delivery`). */
  id: string;
  /** ID of the webhook. */
  webhook_id: string;
  /** Type of the event. */
  event: 'incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved' | 'ping';
  /** ID of the event, identical in every delivery (header `webhook-id`). */
  event_id: string;
  /** `pending`: no attempt yet. `retrying`: waiting for the next attempt. `delivered`: the receiver returned 2xx. `failed`: all attempts failed. `cancelled`: the webhook was deactivated or deleted first. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';
  attempts_made: number;
  /** Time of the next attempt; null if none is scheduled. */
  next_attempt_at: string | null;
  /** HTTP status of the last attempt. */
  last_status: number | null;
  /** ID of the replayed delivery. */
  replay_of: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of completion; null while in progress. */
  finished_at: string | null;
};

/** A page of deliveries. */
export type DeliveryPage = {
  data: DeliverySummary[];
  /** Cursor of the next page; absent on the last page. With a filter, a page can contain fewer than `limit` entries or none, because a request examines at most 10,000 entries. */
  next_cursor?: string | undefined;
  /** Total number of entries on all pages, or a lower bound if `total_is_exact` is false. */
  total: number;
  /** False if `total` is a lower bound, because a request counts at most 10,000 entries. */
  total_is_exact: boolean;
};

/** Delivery of an event to a webhook. Retained for 30 days. */
export type Delivery = {
  /** ID of the delivery (header `X-Service-Delivery`). */
  id: string;
  /** ID of the webhook. */
  webhook_id: string;
  /** Type of the event. */
  event: 'incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved' | 'ping';
  /** ID of the event, identical in every delivery (header `webhook-id`). */
  event_id: string;
  /** `pending`: no attempt yet. `retrying`: waiting for the next attempt. `delivered`: the receiver returned 2xx. `failed`: all attempts failed. `cancelled`: the webhook was deactivated or deleted first. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';
  attempts_made: number;
  /** Time of the next attempt; null if none is scheduled. */
  next_attempt_at: string | null;
  /** HTTP status of the last attempt. */
  last_status: number | null;
  /** ID of the replayed delivery. */
  replay_of: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of completion; null while in progress. */
  finished_at: string | null;
  /** Attempts, oldest first. */
  attempts: DeliveryAttempt[];
  /** Request body, identical in every attempt. Its fields depend on the `format` of the webhook and on the event. */
  payload: Record<string, unknown>;
};

/** Delivery attempt. */
export type DeliveryAttempt = {
  attempt: number;
  /** Time of the attempt. */
  at: string;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Duration in milliseconds. */
  duration_ms: number;
  /** Reason for the failure; null if the attempt succeeded. */
  error: string | null;
  /** First 1,024 bytes of the response body. */
  response: string | null;
};

/** Result of the recovery. */
export type RecoveryStarted = {
  /** Number of new deliveries. */
  replayed: number;
  /** Whether more failed deliveries remain. */
  more: boolean;
};

/** A page of delivery statistics. */
export type DeliveryStatisticsPage = {
  data: DeliveryStatistics[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Statistics of the latest 50 deliveries of a webhook, without cancelled ones. */
export type DeliveryStatistics = {
  /** ID of the webhook. */
  webhook_id: string;
  /** Number of deliveries that the statistics cover. */
  deliveries: number;
  /** Time of the oldest of these deliveries; null if there is none. */
  since: string | null;
  /** Number of successful deliveries. */
  delivered: number;
  /** Number of failed deliveries. */
  failed: number;
  /** Number of deliveries that are pending or retrying. */
  open: number;
  /** Share of successful deliveries among the finished ones; null if none is finished. */
  success_rate: number | null;
  /** Median duration of the attempts with a response; null if there was none. */
  median_ms: number | null;
  /** 95th percentile of these durations. */
  p95_ms: number | null;
  /** Latest failed attempt; null if no attempt failed. */
  last_error: {
    /** Time of the attempt. */
    at: string;
    /** ID of the delivery (header `X-Service-Delivery`). */
    delivery_id: string;
    /** HTTP status of the response; null if there was none. */
    status: number | null;
    /** Reason for the failure. */
    error: string;
  } | null;
};

/** A page of the event feed. */
export type EventPage = {
  data: Event[];
  /** Value of `after` for the next request: the last sequence number that was searched. With a filter by type, a page can be empty before the end of the feed. With `order=desc`, where to start to follow the feed. */
  next_after: number;
  /** With `order=desc`: value of `before` for the next page. Absent at the end. */
  next_before?: number | undefined;
  /** Highest sequence number in the feed. Equals `next_after` at the end of the feed. */
  latest: number;
};

/** Event in the feed. */
export type Event = {
  /** Sequence number in the feed, without gaps. */
  sequence: number;
  /** ID of the event, identical in every delivery (header `webhook-id`). */
  id: string;
  /** Version of the record after the change. */
  version: number;
  event: EventType;
  /** Time of the change. */
  timestamp: string;
  /** Name of this service instance. */
  service_instance: string;
  data: EventData;
};

/** Record data. For incidents: `id`, `short_description`, `priority`, `state`, `url`, `api_url`, and `changes` on updates. */
export type EventData = {
  /** ID of the record. */
  id: string;
  /** URL of the record in the console, for people. */
  url: string;
  /** URL of the record in the API; absent in events of earlier releases. */
  api_url?: string | undefined;
  /** Changed fields, on updates. */
  changes?: Record<string, {
      from: unknown;
      to: unknown;
    }> | undefined;
  /** Present in the feed if the record was deleted; all fields except `id` and the URLs are then omitted. */
  withheld?: 'record_deleted' | undefined;
  [field: string]: unknown;
};

/** A page of notifications. */
export type NotificationPage = {
  data: Notification[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
  /** Number of unread notifications. */
  unread: number;
};

/** Notification. Additional fields depend on `event`. `webhook.delivery_failed` and `webhook.disabled`: `webhook_id`, `webhook_name`, `delivery_id`, `delivered_event`, `last_status`, `error`, `replay_url`. `incident.created`: `incident_id`, `group`, `short_description`, `priority`, `by`. `sla.breach_warning` and `sla.breached`: `group`, `short_description`, and `incident_id` and `priority` of an incident or `record_id` of a change or request. `change.submitted` and `request.submitted`: `record_id`, `group`, `short_description`, `requested_by`. `incident.assigned`: `incident_id`, `group`, `short_description`, `priority`, `by`. `note.added` (on records that the caller works on or opened) and `note.mentioned` (the note contains `@` and the email address): `incident_id` or `record_id`, `note_id`, `short_description`, `priority`, `by`, `excerpt`. `change.approved`, `change.rejected`, `request.approved` and `request.rejected`: `record_id`, `short_description`, `by`, `decision_note`. `proposal.submitted`: `record_id`, `group`, `short_description`, `requested_by`; `proposal.applied`, `proposal.failed` and `proposal.rejected`: `record_id`, `short_description`, `by`, `decision_note`, `error`. If the record is deleted, callers without the role `itsm_manager` see `withheld: "record_deleted"` instead. */
export type Notification = {
  /** ID of the notification. */
  id: string;
  /** Type of the notification. */
  event: string;
  /** Time of creation. */
  created_at: string;
  /** Whether the caller has read it. */
  read: boolean;
  /** Present when the record no longer needs attention: the incident is closed or handed over, or the approval is decided. Such a notification does not count as unread. */
  done?: boolean | undefined;
  [field: string]: unknown;
};

/** Read position of the caller. */
export type ReadNotifications = {
  /** Time up to which notifications are read. */
  read_until: string;
  /** Number of unread notifications. */
  unread: number;
};

/** Contact methods of the caller. */
export type ContactMethods = {
  contact_methods: ContactMethod[];
  /** Kinds that this deployment can send to. E-mail and SMS are options of it. */
  available_kinds: ContactKind[];
};

/** A way to reach the caller. */
export type ContactMethod = {
  kind: ContactKind;
  /** E-mail address, phone number, or the host of a webhook: its URL is a secret. */
  address: string;
  /** Name of the contact method for its owner. */
  label: string | null;
  /** ID of the contact method. */
  id: string;
  /** Whether this is the address of the account, which needs no verification and cannot be deleted. */
  is_account: boolean;
  /** Whether messages are sent to it. */
  is_verified: boolean;
  /** Time of creation. */
  created_at: string | null;
  /** Time at which the last verification code expires; null if no code is pending. */
  code_expires_at: string | null;
  /** Last message of the past 30 days. */
  last_delivery: {
    /** Time of the attempt. */
    at: string;
    outcome: 'sent' | 'retrying' | 'failed';
    /** Why it failed; otherwise null. */
    error: string | null;
  } | null;
};

/** A message that is about to be sent. */
export type AcceptedMessage = {
  /** ID in the text of the message, and in the header `X-Message-Id` of an e-mail. */
  message_id: string;
};

/** Rules by which the caller is reached. */
export type NotificationRules = {
  /** For pages. A page that has ended is not sent. */
  pages: NotificationStep[];
  /** For other notifications. Later steps are skipped once the notification is read. */
  notifications: NotificationStep[];
  /** Topics of notifications that are sent, besides the list in the console. */
  topics: ('assignments' | 'decisions' | 'notes' | 'mentions' | 'approvals' | 'sla' | 'incidents' | 'webhooks')[];
  /** Rules that the caller has not set. */
  is_default: {
    /** Whether the default applies. */
    pages: boolean;
    /** Whether the default applies. */
    notifications: boolean;
    /** Whether the default applies. */
    topics: boolean;
  };
};

/** Page of an incident. */
export type Page = {
  /** ID of the page. */
  id: string;
  /** ID of the incident. */
  incident_id: string;
  /** State. `paging`: people are called. `held`: a change in progress explains the alert. `exhausted`: nobody acknowledged after the last step. `unreachable`: no step has anybody to page. */
  state: 'paging' | 'acknowledged' | 'ended' | 'exhausted' | 'unreachable' | 'held';
  /** Why the page started. */
  trigger: 'created' | 'priority_raised' | 'reassigned' | 'reopened' | 'acknowledgement_expired' | 'manual';
  /** Caller who started the page; the author of the change that started it. */
  requested_by: string;
  /** Reason that was given with a page by hand. */
  reason: string | null;
  target: PageTarget;
  /** Steps of the policy when the page started. */
  steps: EscalationStep[];
  /** How often all steps are repeated. */
  repeat: number;
  /** Current step, from 1; 0 before the first one. */
  step: number;
  /** How often all steps were repeated before. */
  repetition: number;
  /** Time of the next step, or of the end after the last one; null if none follows. */
  next_step_at: string | null;
  /** Everybody who was paged, in order. */
  people: PagedPerson[];
  /** Change that holds the page back. */
  held_by: string | null;
  /** Who acknowledged the page. */
  acknowledged_by: string | null;
  /** Time of the start. */
  created_at: string;
  /** Time of the end; null while people are paged. */
  ended_at: string | null;
  /** Steps and answers, oldest first. */
  log: PageLogEntry[];
  /** Messages and failures, oldest first; for 30 days. */
  messages: PageMessage[];
};

/** What is paged. */
export type PageTarget = {
  /** What is paged. */
  type: 'policy' | 'schedule' | 'person';
  /** ID of the policy or schedule, or address of the person. */
  id: string;
  /** Name of the target. */
  name: string;
};

/** Person who was paged. */
export type PagedPerson = {
  /** Person who was paged. */
  person: string;
  /** Target that led to the person, in words. */
  via: string;
  /** Time of the first message to the person. */
  paged_at: string;
};

/** Entry in the log of a page. */
export type PageLogEntry = {
  /** Time of the entry. */
  at: string;
  /** Kind of the entry. */
  kind: 'started' | 'paged' | 'skipped' | 'held' | 'acknowledged' | 'ended' | 'exhausted' | 'unreachable' | 'expired';
  /** What happened, as a sentence. */
  text: string;
};

/** Attempt to reach a person. */
export type PageMessage = {
  /** Time of the attempt. */
  at: string;
  /** ID of the message, the same in every attempt. */
  message_id: string;
  /** Person who was paged. */
  to: string;
  /** Channel; null if no contact method was used. */
  channel: 'email' | 'sms' | 'slack' | 'teams' | 'ntfy' | null;
  /** Address as shown to others. */
  address: string | null;
  /** Outcome of the attempt. */
  outcome: 'sent' | 'retrying' | 'failed' | 'cancelled' | 'unreachable';
  /** ID that the provider gave the message. */
  provider_message_id: string | null;
  /** Why the attempt failed or was cancelled. */
  error: string | null;
};

/** The pages of an incident. */
export type PageList = {
  data: Page[];
  /** Whether there are more than 50 pages. */
  truncated: boolean;
};

/** Changes that may have caused the incident. */
export type SuspectChangeList = {
  data: SuspectChange[];
  /** Whether a limit ended the search. */
  truncated: boolean;
};

/** Change that may have caused the incident. */
export type SuspectChange = {
  change: {
    /** ID of the change. */
    id: string;
    /** Summary in one line. */
    short_description: string;
    /** State of the change. */
    state: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled';
    /** Planned start. */
    planned_start: string | null;
    /** Planned end. */
    planned_end: string | null;
    /** Time of the last update. */
    updated_at: string;
  };
  /** Item of the change that the incident depends on. */
  ci_id: string;
  /** Steps in the dependency graph: 0 if the change is on the item of the incident. */
  distance: number;
  /** Minutes from the change to the incident; 0 while the change is in progress. */
  minutes_before: number;
  /** Higher is more suspect. */
  score: number;
  /** Why the change is suspect, as a sentence. */
  reason: string;
};

/** Pages per person and night. */
export type PagingLoad = {
  data: PersonLoad[];
  /** Whether there were too many pages to count all of them. */
  truncated: boolean;
};

/** How often a person was paged. */
export type PersonLoad = {
  /** Person. */
  person: string;
  /** Number of pages that reached the person. */
  pages: number;
  /** Number of them between 22:00 and 07:00. */
  night_pages: number;
  /** Nights with pages, by the date of their evening, oldest first. */
  nights: PagedNight[];
};

/** Night with pages. */
export type PagedNight = {
  /** Evening of the night. */
  night: string;
  /** Pages. */
  pages: number;
};

/** Answer with its sources. */
export type AnsweredQuestion = {
  /** Markdown. High confidence: the answer. Middle: a quotation begins with "Closest match, may not answer exactly:". Low: begins with "Not found". */
  answer: string;
  /** Probability that the first citation answers the question, calibrated on labeled questions: about 80% of the answers with 0.8 are correct. */
  confidence: number;
  /** Articles that support the answer, best first. Empty if no answer was found. */
  citations: Citation[];
  /** Articles that may help if no answer was found, best first. Empty if the question was answered or no article is relevant. */
  related: RelatedArticle[];
  /** Model that produced the answer, with its provider, or the embedding model if no language model was called. */
  model_used: string;
  /** Language model tokens used; 0 if no language model was called. */
  tokens_used: number;
  /** Processing time in milliseconds. */
  latency_ms: number;
  /** Whether the answer came from the cache. */
  cache_hit: boolean;
  /** Cache details. Present only if `cache_hit` is true. */
  cache?: {
    /** Cached question. Present only if the caller asked it. */
    matched?: string | undefined;
    /** Similarity of the two questions; 1 if they are identical. */
    similarity: number;
    /** Age of the cached answer in seconds. */
    age_seconds: number;
  } | undefined;
};

/** Article that supports an answer. */
export type Citation = {
  /** ID of the article, or of the problem that is a known error. */
  article_id: string;
  title: string;
  /** Relevance of the best matching passage. */
  relevance: number;
};

/** Related article that may help. */
export type RelatedArticle = {
  /** ID of the article, or of the problem that is a known error. */
  article_id: string;
  title: string;
  /** Relevance of the best matching passage. */
  relevance: number;
};

/** Findings about a record, supported by similar incidents. */
export type Analysis = {
  record_id: string;
  analysis_type: 'root_cause' | 'impact' | 'summary';
  findings: RootCauseFindings | ImpactFindings | SummaryFindings;
  /** What the confidence is based on. */
  confidence_basis: string;
  /** Published articles related to the record, best first. */
  related_articles: RelatedArticle[];
  /** Model that produced the answer, with its provider, or the embedding model if no language model was called. */
  model_used: string;
  /** Language model tokens used; 0 if no language model was called. */
  tokens_used: number;
  /** Processing time in milliseconds. */
  latency_ms: number;
  /** Whether the answer came from the cache. */
  cache_hit: boolean;
  /** Cache details. Present only if `cache_hit` is true. */
  cache?: {
    /** Cached question. Present only if the caller asked it. */
    matched?: string | undefined;
    /** Similarity of the two questions; 1 if they are identical. */
    similarity: number;
    /** Age of the cached answer in seconds. */
    age_seconds: number;
  } | undefined;
};

/** The probable root cause and the steps to resolve it. */
export type RootCauseFindings = {
  /** The most probable cause. If there is too little evidence, a sentence that says so. */
  probable_root_cause: string;
  /** How well the record and similar incidents support the findings, from 0 to 1. Low if there is little evidence. */
  confidence: number;
  /** Steps in order. The record or a similar incident supports each step. */
  resolution_steps: string[];
  /** ID of the problem behind the record, or null. */
  related_problem: string | null;
  /** Ids of similar resolved incidents that support the cause. */
  similar_past_incidents: string[];
  /** Estimated from the duration of similar incidents. null if there are none. */
  estimated_resolution_minutes: number | null;
};

/** The affected people and systems, and the risks. */
export type ImpactFindings = {
  /** The known impact: the affected people and systems, and the severity. */
  impact: string;
  /** How well the record and similar incidents support the findings, from 0 to 1. Low if there is little evidence. */
  confidence: number;
  /** Affected services, sites, teams or users. */
  affected: string[];
  /** Risks while the incident is open. */
  risks: string[];
  /** Ids of similar resolved incidents. */
  similar_past_incidents: string[];
};

/** A summary of the record. */
export type SummaryFindings = {
  /** What happened and the current status, in a few sentences. */
  summary: string;
  /** How well the record and similar incidents support the findings, from 0 to 1. Low if there is little evidence. */
  confidence: number;
  /** Facts that a colleague needs to continue the work. */
  key_points: string[];
  /** Questions that the record does not answer. */
  open_questions: string[];
};

/** Similar incidents, most similar first. */
export type Exemplars = {
  exemplars: Exemplar[];
  count: number;
  /** Model that produced the answer, with its provider, or the embedding model if no language model was called. */
  model_used: string;
  /** Language model tokens used; 0 if no language model was called. */
  tokens_used: number;
  /** Processing time in milliseconds. */
  latency_ms: number;
  /** Whether the answer came from the cache. */
  cache_hit: boolean;
  /** Cache details. Present only if `cache_hit` is true. */
  cache?: {
    /** Cached question. Present only if the caller asked it. */
    matched?: string | undefined;
    /** Similarity of the two questions; 1 if they are identical. */
    similarity: number;
    /** Age of the cached answer in seconds. */
    age_seconds: number;
  } | undefined;
};

/** Similar incident. */
export type Exemplar = {
  /** ID of the incident. */
  incident_id: string;
  /** Short description of the incident. */
  title: string;
  description: string;
  state: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened';
  /** Resolution; empty if the incident is open or none was recorded. */
  resolution: string;
  /** Minutes from creation to resolution; 0 while open. */
  resolution_time_min: number;
  /** Similarity of the texts. */
  similarity_score: number;
  /** Number of similar incidents with this title. Only the most similar one is listed. */
  same_title_count: number;
  /** Why it is similar. Present only if a language model is configured and answered in time. */
  reason?: string | undefined;
};

/** Suggested field values. */
export type SuggestAnswer = {
  suggestions: Suggestions;
  /** Model that produced the answer, with its provider, or the embedding model if no language model was called. */
  model_used: string;
  /** Language model tokens used; 0 if no language model was called. */
  tokens_used: number;
  /** Processing time in milliseconds. */
  latency_ms: number;
  /** Whether the answer came from the cache. */
  cache_hit: boolean;
  /** Cache details. Present only if `cache_hit` is true. */
  cache?: {
    /** Cached question. Present only if the caller asked it. */
    matched?: string | undefined;
    /** Similarity of the two questions; 1 if they are identical. */
    similarity: number;
    /** Age of the cached answer in seconds. */
    age_seconds: number;
  } | undefined;
};

/** Suggested values. Fields without a match are omitted. */
export type Suggestions = {
  category?: Suggestion | undefined;
  subcategory?: Suggestion | undefined;
  priority?: {
    value: 'P1' | 'P2' | 'P3' | 'P4';
    /** Probability that the suggestion is correct. */
    confidence: number;
    /** Incidents behind the suggestion, most similar first. */
    based_on: {
      incident_id: string;
      title: string;
    }[];
    /** Next best values. */
    alternatives: {
      value: 'P1' | 'P2' | 'P3' | 'P4';
      /** Probability that the suggestion is correct. */
      confidence: number;
      /** Incidents behind the suggestion, most similar first. */
      based_on: {
        incident_id: string;
        title: string;
      }[];
    }[];
    /** Incidents and keywords behind the suggestion. */
    reasoning: string;
  } | undefined;
  assignment_group?: Suggestion | undefined;
};

/** Value suggested from similar resolved incidents. */
export type Suggestion = {
  value: string;
  /** Probability that the suggestion is correct. */
  confidence: number;
  /** Incidents behind the suggestion, most similar first. */
  based_on: {
    incident_id: string;
    title: string;
  }[];
  /** Next best values. */
  alternatives: {
    value: string;
    /** Probability that the suggestion is correct. */
    confidence: number;
    /** Incidents behind the suggestion, most similar first. */
    based_on: {
      incident_id: string;
      title: string;
    }[];
  }[];
};

/** Answer based on the records, with the tool calls made. */
export type QueryAnswer = {
  answer: string;
  /** Articles the answer used. */
  citations: Citation[];
  /** Records that the answer names. */
  records: {
    type: string;
    id: string;
    title: string;
  }[];
  /** Paths of the API that return the same records or figures, by filters or by `id`; none for more than 100 records without a list filter. */
  lists: string[];
  /** Tool calls made to find the answer. */
  tools_used: {
    name: string;
    input: Record<string, unknown>;
  }[];
  conversation_id: string;
  /** Model that produced the answer, with its provider, or the embedding model if no language model was called. */
  model_used: string;
  /** Language model tokens used; 0 if no language model was called. */
  tokens_used: number;
  /** Processing time in milliseconds. */
  latency_ms: number;
  /** Whether the answer came from the cache. */
  cache_hit: boolean;
  /** Cache details. Present only if `cache_hit` is true. */
  cache?: {
    /** Cached question. Present only if the caller asked it. */
    matched?: string | undefined;
    /** Similarity of the two questions; 1 if they are identical. */
    similarity: number;
    /** Age of the cached answer in seconds. */
    age_seconds: number;
  } | undefined;
};

/** Known errors, most similar first. */
export type KnownErrors = {
  known_errors: KnownError[];
};

/** Known error that an incident resembles. */
export type KnownError = {
  /** ID of the problem. */
  problem_id: string;
  /** Summary of the problem. */
  short_description: string;
  /** State of the problem. */
  state: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled';
  /** Root cause in Markdown. */
  root_cause: string | null;
  /** Workaround in Markdown. */
  workaround: string | null;
  /** Similarity to the incident. */
  similarity_score: number;
  /** Why the problem is listed. */
  reason: string;
};

/** Candidates for problems. */
export type ProblemCandidates = {
  candidates: ProblemCandidate[];
  /** Number of incidents that were compared. */
  examined: number;
  /** Number of incidents without a problem in that time. */
  total: number;
};

/** Similar incidents that no problem explains. */
export type ProblemCandidate = {
  /** Summary of the incident that the others resemble. */
  short_description: string;
  /** The incidents; the first one is that of the summary. */
  incident_ids: string[];
  /** Number of incidents. */
  count: number;
  /** Configuration item of more than half of the incidents; null if there is none. */
  ci_id: string | null;
  /** Group of more than half of the incidents; null if there is none. */
  assignment_group: string | null;
  /** Category of more than half of the incidents; null if there is none. */
  category: string | null;
  /** Creation of the first incident. */
  first_at: string;
  /** Creation of the last incident. */
  last_at: string;
  /** Why the incidents may have one cause. */
  reason: string;
};

/** Use of the AI cache. */
export type AiStatistics = {
  /** Number of answers from the cache. */
  hits: number;
  /** Number of answers that were not in the cache. */
  misses: number;
  /** Share of answers from the cache; null if there were no answers. */
  hit_rate: number | null;
  /** Oldest first, without gaps. */
  days: AiStatisticsDay[];
};

/** Use of the AI cache on one day. */
export type AiStatisticsDay = {
  /** Day (UTC). */
  date: string;
  /** Number of answers from the cache. */
  hits: number;
  /** Number of answers that were not in the cache. */
  misses: number;
  /** Share of answers from the cache; null if there were no answers. */
  hit_rate: number | null;
};

/** A page of articles. */
export type ArticlePage = {
  data: Article[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Knowledge base article. */
export type Article = {
  /** ID of the article. */
  id: string;
  /** Author. */
  created_by: string;
  /** Time of the last publication; null for drafts. */
  published_at: string | null;
  /** Whether the article is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
  /** Title. */
  title: string;
  /** Content in Markdown. */
  body: string;
  /** Publication state. Viewers cannot see drafts; managers publish. */
  state: 'draft' | 'published';
  /** Category, as for incidents. */
  category: string | null;
  /** Tags. */
  tags: string[];
};

/** JSON-RPC response with `result` or `error`. */
export type McpResponse = {
  jsonrpc: '2.0';
  [field: string]: unknown;
};

/** A page of SLA policies. */
export type SlaPolicyPage = {
  data: SlaPolicy[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** SLA policy. */
export type SlaPolicy = {
  /** ID of the policy. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Name of the policy. */
  name: string;
  /** Kind of the records. */
  kind: 'incident' | 'request' | 'change';
  /** Target for the resolution, completion or fulfilment, in open minutes. */
  resolve_minutes: number;
  /** States in which the clock pauses. */
  pause_states: string[];
  /** Share of the target after which a warning is sent. */
  warning_percent: number;
  /** Description in Markdown. */
  description: string | null;
  /** Only records of this group; null for all. Requests have no group. */
  assignment_group: string | null;
  /** Only records with this category, the `item` of a request or the `type` of a change; null for all. */
  category: string | null;
  /** Only incidents of this priority; null for all. */
  priority: Priority | null;
  /** Target for the first acknowledgement of an incident; null for none. */
  acknowledge_minutes: number | null;
  /** Calendar whose open hours count; null for around the clock. */
  calendar_id: string | null;
  /** Whether the SLA policy is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Recalculation of open records after a change. */
export type SlaRecalculation = {
  /** Number of the last change of policies, calendars or default targets. */
  revision: number;
  /** Whether open records are calculated with that change. */
  status: 'pending' | 'running' | 'completed';
  /** Time of the start. */
  started_at: string | null;
  /** Time at which all open records had been visited. */
  finished_at: string | null;
  /** Number of open records that were checked. */
  checked: number;
  /** Number of records whose targets changed. */
  changed: number;
  /** Number of records that will be tried again. */
  failed: number;
};

/** A page of calendars. */
export type CalendarPage = {
  data: Calendar[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Open hours in which SLA targets count. */
export type Calendar = {
  /** ID of the calendar. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Name of the calendar. */
  name: string;
  /** IANA time zone of the hours and holidays. */
  time_zone: string;
  /** Open hours of a week. Periods may overlap. */
  hours: OpenHours[];
  /** Days on which everything is closed. */
  holidays: HolidayOutput[];
  /** Description in Markdown. */
  description: string | null;
  /** Whether the calendar is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** What an import of holidays changed. */
export type HolidayImportResult = {
  calendar: Calendar;
  /** Number of holidays that were added. */
  added: number;
  /** The first 100 events that are no holidays, with the reason. */
  skipped: {
    name: string;
    reason: string;
  }[];
};

/** A page of schedules. */
export type SchedulePage = {
  data: Schedule[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** On-call schedule. */
export type Schedule = {
  /** ID of the schedule. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Name of the schedule. */
  name: string;
  /** IANA time zone of all times in the layers. */
  time_zone: string;
  /** Layers in order of precedence. The first layer that has somebody on call decides; a later layer covers the gaps of the earlier ones. Overrides take precedence over all layers. */
  layers: ScheduleLayerOutput[];
  /** Description in Markdown. */
  description: string | null;
  /** Time at which the key of the calendar feed was created; null without a feed. */
  calendar_key_created_at: string | null;
  /** Whether the schedule is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Shifts of a schedule. */
export type ShiftList = {
  shifts: Shift[];
};

/** Period with the same person on call. */
export type Shift = {
  /** Start of the shift, not before `from`. */
  starts_at: string;
  /** End of the shift, not after `to`. */
  ends_at: string;
  /** Person on call; null in a gap. */
  person: string | null;
  /** Where the shift comes from. In a `gap`, nobody is on call. */
  source: 'layer' | 'override' | 'gap';
  /** Number of the layer; the first one is 1. */
  layer: number | null;
  /** ID of the override. */
  override_id: string | null;
};

/** People on call. */
export type OnCallList = {
  /** The time. */
  at: string;
  data: OnCallPerson[];
  /** Whether there are more schedules than the response has. */
  truncated: boolean;
};

/** Who is on call in a schedule. */
export type OnCallPerson = {
  /** ID of the schedule. */
  schedule_id: string;
  /** Name of the schedule. */
  schedule_name: string;
  /** Time zone of the schedule. */
  time_zone: string;
  /** Person on call; null if nobody is. */
  person: string | null;
  /** Time of the next hand-off; null if there is none within 14 days. */
  until: string | null;
  /** Person on call after the hand-off; null if nobody is. */
  next_person: string | null;
};

/** Overrides of a schedule. */
export type OverrideList = {
  overrides: Override[];
};

/** Period that a person takes over. */
export type Override = {
  /** ID of the override. */
  id: string;
  /** Person who is on call. */
  person: string;
  /** Start of the override. */
  starts_at: string;
  /** End of the override. */
  ends_at: string;
  /** Reason for the override. */
  reason: string | null;
  /** Caller who created the override. */
  created_by: string;
  /** Time of creation. Of overlapping overrides, the newest one applies. */
  created_at: string;
};

/** Overrides of a swap. */
export type SwapResult = {
  overrides: Override[];
};

/** Address of a calendar feed. */
export type CalendarKey = {
  /** Secret key of the feed. */
  key: string;
  /** Address of the feed with the key. */
  url: string;
};

/** A page of escalation policies. */
export type EscalationPolicyPage = {
  data: EscalationPolicy[];
  /** Cursor of the next page; absent on the last page. A page of large records can contain fewer than `limit` records. */
  next_cursor?: string | undefined;
  /** Total number of records on all pages. */
  total: number;
};

/** Escalation policy. */
export type EscalationPolicy = {
  /** ID of the escalation policy. */
  id: string;
  /** Same as `id`. */
  number: string;
  /** Name of the policy. */
  name: string;
  /** Steps in order. The first one pages at once. */
  steps: EscalationStep[];
  /** How often all steps are repeated after the last one if nobody acknowledges. */
  repeat: number;
  /** Description in Markdown. */
  description: string | null;
  /** Minutes after an acknowledgement without progress before the escalation continues; null if acknowledgements do not expire. */
  acknowledgement_expires_minutes: number | null;
  /** Whether the escalation policy is deleted. */
  deleted: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last update. */
  updated_at: string;
};

/** Paging settings of groups. */
export type GroupPagingList = {
  groups: GroupPaging[];
};

/** Paging settings of an assignment group. */
export type GroupPaging = {
  /** Name of the assignment group. */
  group: string;
  /** Policy that pages for incidents of the group; null if incidents of the group page nobody. */
  escalation_policy_id: string | null;
  /** Priorities that page. */
  priorities: Priority[];
  /** Caller who changed the settings; null if nobody did. */
  updated_by: string | null;
  /** Time of the last change; null if nobody changed the settings. */
  updated_at: string | null;
};

/** Saved view of a list. */
export type SavedViewOutput = {
  /** The list that the view belongs to. */
  list: 'incidents' | 'changes' | 'requests' | 'cis' | 'articles';
  /** Name of the view. */
  name: string;
  /** Filters, sort and order as a URL query. */
  query: string;
  /** Whether the view is pinned. */
  pinned: boolean;
};

/** Views of lists that everyone sees. A manager shares them. */
export type SharedViewsOutput = {
  /** Saved views of lists. */
  views: SavedViewOutput[];
};

/** Action for the events that match its conditions. */
export type InboundRuleOutput = {
  /** Conditions on the payload. All must match. */
  when: WebhookFilter[];
  /** Action to take for an event. `resolve_incident` passes through `in_progress` if the state machine requires it. */
  action: 'create_incident' | 'update_incident' | 'resolve_incident' | 'add_note';
  /** Templates by field. A template is text with placeholders such as `{{a.b[0].c}}`. `{{payload.a}}` and `{{$.a}}` are aliases of `{{a}}`, and the template `$.a.b` is short for `{{a.b}}`. Filters: `default:"x"`, `upper`, `lower`, `truncate:n`, `map:"crit=P1,warn=P2"`. Missing values render as empty text; fields that render empty are not set. */
  field_mapping: Record<string, string>;
};

/** Day on which everything is closed. */
export type HolidayOutput = {
  /** Local date on which everything is closed. */
  date: string;
  /** Name of the holiday. */
  name: string;
  /** Whether it repeats every year on the same day. */
  yearly: boolean;
};

/** People who take turns in a schedule. */
export type ScheduleLayerOutput = {
  /** Name of the layer. */
  name: string;
  /** People who take turns, in this order. A person may occur several times. */
  people: string[];
  /** Length of a shift in `shift_unit`. */
  shift_length: number;
  /** Unit of `shift_length`. */
  shift_unit: 'hours' | 'days' | 'weeks';
  /** Local time of the hand-off. */
  handoff_time: string;
  /** Day of the hand-off: required for shifts in weeks, null otherwise. */
  handoff_weekday: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null;
  /** Local date on which the layer begins, at `handoff_time`. The first person begins. With weeks, the first shift ends on the next `handoff_weekday` that completes a shift, so it may be shorter. */
  starts_on: string;
  /** Local date on which the layer ends, at `handoff_time`; null for no end. */
  ends_on: string | null;
  /** Periods in which the layer is on call; always if there are none. */
  restrictions: Restriction[];
};

/** Incident with its dates, notes and history. */
export type IncidentImport = {
  /** ID to keep, from an export of this service; chosen if absent. Must be free or this incident. */
  id?: string | undefined;
  /** ID in the other system. A second import of the same ID changes nothing. */
  external_id?: string | null | undefined;
  /** Creator; the importer if absent. */
  opened_by?: string | undefined;
  /** Time of creation; the time of the import if absent. */
  created_at?: string | undefined;
  /** Time of the last update; the latest of the other times if absent. */
  updated_at?: string | undefined;
  /** Time of resolution. Required in the states `resolved` and `closed`, not allowed in others. */
  resolved_at?: string | null | undefined;
  /** Time of closure. Required in the state `closed`. */
  closed_at?: string | null | undefined;
  /** Work notes, oldest first. */
  notes?: {
    /** Text in Markdown. */
    body: string;
    /** Visibility. Only the author and managers can see private notes. */
    visibility?: 'team' | 'public' | 'private' | undefined;
    /** Links to files that are stored elsewhere. */
    attachments?: AttachmentCreation[] | undefined;
    /** ID of the note in an export of this service; chosen if absent. */
    id?: string | undefined;
    /** Author of the note; the importer if absent. */
    author?: string | undefined;
    /** Time of the note; the time of the import if absent. */
    created_at?: string | undefined;
  }[] | undefined;
  /** Earlier changes, oldest first. */
  history?: ImportedChange[] | undefined;
  /** Summary of the incident in one line. */
  short_description: string;
  priority?: Priority | undefined;
  /** State. */
  state?: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened' | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Category. */
  category?: string | null | undefined;
  /** Subcategory. */
  subcategory?: string | null | undefined;
  /** Impact. */
  impact?: 'high' | 'medium' | 'low' | null | undefined;
  /** Urgency. */
  urgency?: 'high' | 'medium' | 'low' | null | undefined;
  /** Group that works on the incident. */
  assignment_group?: string | null | undefined;
  /** Person who works on the incident. */
  assigned_to?: string | null | undefined;
  /** Affected configuration item. The service does not check that it exists. */
  ci_id?: string | null | undefined;
  /** ID of the underlying problem. */
  parent_problem_id?: string | null | undefined;
  /** ID of the change that caused or fixes the incident. */
  change_id?: string | null | undefined;
  /** Resolution in Markdown. */
  resolution?: string | null | undefined;
  /** Time of acknowledgement. */
  acknowledged_at?: string | null | undefined;
  /** Person who acknowledged the incident. */
  acknowledged_by?: string | null | undefined;
  /** Number of times it was reopened. */
  reopen_count?: number | undefined;
};

/** Problem with its dates, notes and history. */
export type ProblemImport = {
  /** ID to keep, from an export of this service; chosen if absent. Must be free or this problem. */
  id?: string | undefined;
  /** ID in the other system. A second import of the same ID changes nothing. */
  external_id?: string | null | undefined;
  /** Creator; the importer if absent. */
  opened_by?: string | undefined;
  /** Time of creation; the time of the import if absent. */
  created_at?: string | undefined;
  /** Time of the last update; the latest of the other times if absent. */
  updated_at?: string | undefined;
  /** Time of resolution. Required in the states `resolved` and `closed`, not allowed in others. */
  resolved_at?: string | null | undefined;
  /** Time of closure. Required in the state `closed`. */
  closed_at?: string | null | undefined;
  /** Work notes, oldest first. */
  notes?: {
    /** Text in Markdown. */
    body: string;
    /** Visibility. Only the author and managers can see private notes. */
    visibility?: 'team' | 'public' | 'private' | undefined;
    /** Links to files that are stored elsewhere. */
    attachments?: AttachmentCreation[] | undefined;
    /** ID of the note in an export of this service; chosen if absent. */
    id?: string | undefined;
    /** Author of the note; the importer if absent. */
    author?: string | undefined;
    /** Time of the note; the time of the import if absent. */
    created_at?: string | undefined;
  }[] | undefined;
  /** Earlier changes, oldest first. */
  history?: ImportedChange[] | undefined;
  /** Summary of the problem in one line. */
  short_description: string;
  priority?: Priority | undefined;
  /** State. */
  state?: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled' | undefined;
  /** Whether the problem is a known error, whose workaround is offered for similar incidents. Requires `root_cause` or `workaround`. */
  known_error?: boolean | undefined;
  /** Related changes, such as the one that fixes the problem. They must exist. */
  change_ids?: string[] | undefined;
  /** Full description in Markdown. */
  description?: string | null | undefined;
  /** Group that works on the problem. */
  assignment_group?: string | null | undefined;
  /** Person who works on the problem. */
  assigned_to?: string | null | undefined;
  /** Root cause in Markdown. */
  root_cause?: string | null | undefined;
  /** How to restore the service until the problem is fixed, in Markdown. */
  workaround?: string | null | undefined;
  /** Configuration item with the fault. The service does not check that it exists. */
  ci_id?: string | null | undefined;
};

/** The body of a webhook delivery, by event type. */
export interface WebhookPayloads {
  'incident.created': IncidentCreatedPayload;
  'incident.updated': IncidentUpdatedPayload;
  'incident.resolved': IncidentResolvedPayload;
  'incident.priority_changed': IncidentPriorityChangedPayload;
  'change.submitted': ChangeSubmittedPayload;
  'change.approved': ChangeApprovedPayload;
  'change.rejected': ChangeRejectedPayload;
  'request.submitted': RequestSubmittedPayload;
  'request.approved': RequestApprovedPayload;
  'sla.breach_warning': SlaBreachWarningPayload;
  'sla.breached': SlaBreachedPayload;
  'ci.discovered': CiDiscoveredPayload;
  'incident.acknowledged': IncidentAcknowledgedPayload;
  'incident.escalated': IncidentEscalatedPayload;
  'problem.created': ProblemCreatedPayload;
  'problem.updated': ProblemUpdatedPayload;
  'problem.resolved': ProblemResolvedPayload;
  'ping': PingPayload;
}

/** The types of every operation, by name. */
export interface Api {
  /** Reads from the database and returns 503 if that fails. Requires a token but no role. */
  getHealth: {
    method: 'GET';
    query: {
      /** Also measure how far lists are behind the table. */
      search?: boolean | undefined;
    };
    output: Health;
  };
  /** Returns the OpenAPI 3.1 document of this instance. Clients may cache it for one hour. */
  getApiDocument: {
    method: 'GET';
    output: ApiDocument;
  };
  /** Returns the identity, roles and rate limits of the caller. */
  getMe: {
    method: 'GET';
    output: Profile;
  };
  /** Returns the caller's saved views, notification preferences and time zone. */
  getPreferences: {
    method: 'GET';
    output: Preferences;
  };
  /** Applies a JSON merge patch to the preferences of the caller. Send `If-Match` to detect changes in another browser. */
  updatePreferences: {
    method: 'PATCH';
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: PreferencesPatch;
    output: Preferences;
  };
  /** Returns the views of lists that managers share with everyone. */
  getSharedViews: {
    method: 'GET';
    output: SharedViewsOutput;
  };
  /** Replaces the shared views. Send `If-Match` to detect changes by somebody else. */
  updateSharedViews: {
    method: 'PATCH';
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: SharedViews;
    output: SharedViewsOutput;
  };
  /** Lists the enabled people of the user pool with an email address, sorted by address. Changes in the user pool appear within a minute. Knows the first 5,000 people of the pool. */
  listPeople: {
    method: 'GET';
    query: {
      /** Return only entries that contain this text, ignoring case. */
      q?: string | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
    };
    output: PersonList;
  };
  /** Lists assignment groups, sorted by name: the groups of the user pool that are not roles, and the groups that incidents or changes named in the last 90 days. */
  listGroups: {
    method: 'GET';
    query: {
      /** Return only entries that contain this text, ignoring case. */
      q?: string | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
    };
    output: GroupList;
  };
  /** Lists the caller's API keys, newest first. A `super_admin` sees all keys. */
  listApiKeys: {
    method: 'GET';
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ApiKeyPage;
  };
  /** Creates an API key and returns its secret once. A caller can have up to 20 keys. Records written with the key show the caller's address. The key has its own general rate limit and shares the AI rate limits with the caller. An API key cannot create API keys. */
  createApiKey: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ApiKeyCreation;
    output: CreatedApiKey;
  };
  /** Revokes one of the caller's keys, or any key as `super_admin`. The key can no longer obtain tokens; issued tokens expire within five minutes. */
  deleteApiKey: {
    method: 'DELETE';
    params: {
      /** ID of the API key. */
      id: string;
    };
    output: undefined;
  };
  /** Lists sign-ins, deletions and changes to API keys, webhooks, secrets, users, groups and clients in the last year, newest first. */
  listAudit: {
    method: 'GET';
    query: {
      /** Return only entries of these types. */
      type?: 'sign_in.succeeded' | 'sign_in.failed' | 'api_key.created' | 'api_key.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook_secret.rotated' | 'record.deleted' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.member_added' | 'group.member_removed' | 'user.created' | 'user.updated' | 'user.enabled' | 'user.disabled' | 'user.deleted' | 'user.password_set' | 'user.password_reset' | 'user.signed_out' | 'client.created' | 'client.updated' | 'client.deleted' | 'federated_sign_in.succeeded' | 'federated_sign_in.rejected' | 'role.changed' | readonly ('sign_in.succeeded' | 'sign_in.failed' | 'api_key.created' | 'api_key.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook_secret.rotated' | 'record.deleted' | 'group.created' | 'group.updated' | 'group.deleted' | 'group.member_added' | 'group.member_removed' | 'user.created' | 'user.updated' | 'user.enabled' | 'user.disabled' | 'user.deleted' | 'user.password_set' | 'user.password_reset' | 'user.signed_out' | 'client.created' | 'client.updated' | 'client.deleted' | 'federated_sign_in.succeeded' | 'federated_sign_in.rejected' | 'role.changed')[] | undefined;
      /** Return only entries of this actor (exact match). */
      actor?: string | undefined;
      /** Return only entries after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only entries before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: AuditPage;
  };
  /** Lists incidents that match all filters. Deleted incidents are not included. */
  listIncidents: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened' | readonly ('new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened')[] | undefined;
      /** Filter by priority, comma-separated. */
      priority?: 'P1' | 'P2' | 'P3' | 'P4' | readonly ('P1' | 'P2' | 'P3' | 'P4')[] | undefined;
      /** Filter by assignment group. */
      assignment_group?: string | undefined;
      /** Filter by assignee. */
      assigned_to?: string | undefined;
      /** Filter by category. */
      category?: string | undefined;
      /** Filter by creator, comma-separated. */
      opened_by?: string | readonly (string)[] | undefined;
      /** Filter by ID in the system that the incident was imported from. */
      external_id?: string | undefined;
      /** Filter by configuration item, comma-separated. */
      ci_id?: string | readonly (string)[] | undefined;
      /** Filter by underlying problem, comma-separated. */
      parent_problem_id?: string | readonly (string)[] | undefined;
      /** Return only incidents without an assignee. */
      unassigned?: boolean | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'assignment_group' | 'assigned_to' | 'category' | 'ci_id' | 'parent_problem_id' | 'acknowledged_at' | 'reopen_count' | readonly ('assignment_group' | 'assigned_to' | 'category' | 'ci_id' | 'parent_problem_id' | 'acknowledged_at' | 'reopen_count')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: assignment_group, assigned_to, category, opened_by, ci_id, parent_problem_id. */
      not?: string | undefined;
      /** Return only incidents that were reopened at least once. */
      reopened?: boolean | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only incidents created at least this many hours ago. */
      min_age_hours?: number | undefined;
      /** Return only incidents created at most this many hours ago. */
      max_age_hours?: number | undefined;
      /** Return only incidents resolved after this time (exclusive). */
      resolved_after?: TimeOrDate | undefined;
      /** Return only incidents resolved before this time (exclusive). */
      resolved_before?: TimeOrDate | undefined;
      /** Return only incidents acknowledged after this time (exclusive). */
      acknowledged_after?: TimeOrDate | undefined;
      /** Return only incidents acknowledged before this time (exclusive). */
      acknowledged_before?: TimeOrDate | undefined;
      /** Return only incidents whose SLA target ends after this time (exclusive). */
      sla_breach_after?: TimeOrDate | undefined;
      /** Return only incidents whose SLA target ends before this time (exclusive). */
      sla_breach_before?: TimeOrDate | undefined;
      /** Return only incidents created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only incidents created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only incidents updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only incidents updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only incidents that contain all of these words in short_description, description, category, external_id or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. `priority` sorts incidents of one priority by the time of their SLA breach. `sla_breach_at` sorts by the time of the breach; incidents without one come last. */
      sort?: 'created_at' | 'priority' | 'updated_at' | 'sla_breach_at' | undefined;
      /** Sort order. `sort=priority&order=asc` lists the most urgent first, `sort=sla_breach_at&order=asc` the next breach. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: IncidentPage;
  };
  /** Creates an incident. `opened_by` is set to the caller. */
  createIncident: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: IncidentCreation;
    output: Incident;
  };
  /** Creates an incident from the report of a person. Every role may do this. `opened_by` is set to the caller; the service desk decides on everything else. */
  reportIncident: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: IncidentReport;
    output: Incident;
  };
  /** Returns an incident. Managers can get a deleted incident with `include_deleted`. */
  getIncident: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    query: {
      /** Whether to include a deleted incident. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Incident;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. A state transition that is not allowed returns 409 with `allowed_transitions`. */
  updateIncident: {
    method: 'PATCH';
    params: {
      /** ID of the incident. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: IncidentUpdate;
    output: Incident;
  };
  /** Deletes an incident. Deleted incidents are hidden but retained for audit, and keep their state. */
  deleteIncident: {
    method: 'DELETE';
    params: {
      /** ID of the incident. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of an incident, oldest first. */
  listIncidentHistory: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted incident. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Returns the calculation of the SLA step by step: the policy, and the intervals in which the clock was running, paused or outside the open hours. Optionally simulated for another priority. */
  getIncidentSla: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    query: {
      /** Calculates the SLA for another priority without changing the incident. */
      simulate?: 'priority:P1' | 'priority:P2' | 'priority:P3' | 'priority:P4' | undefined;
    };
    output: Sla;
  };
  /** Counts incidents exactly, with SLA attainment, mean and median times to acknowledge and to resolve, and reopenings. Supports all filters of the list. The figures also appear per group, per day, week or month, and next to those of other filters on request. Periods count creations, acknowledgements and resolutions within them. */
  getIncidentStatistics: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened' | readonly ('new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened')[] | undefined;
      /** Filter by priority, comma-separated. */
      priority?: 'P1' | 'P2' | 'P3' | 'P4' | readonly ('P1' | 'P2' | 'P3' | 'P4')[] | undefined;
      /** Filter by assignment group. */
      assignment_group?: string | undefined;
      /** Filter by assignee. */
      assigned_to?: string | undefined;
      /** Filter by category. */
      category?: string | undefined;
      /** Filter by creator, comma-separated. */
      opened_by?: string | readonly (string)[] | undefined;
      /** Filter by ID in the system that the incident was imported from. */
      external_id?: string | undefined;
      /** Filter by configuration item, comma-separated. */
      ci_id?: string | readonly (string)[] | undefined;
      /** Filter by underlying problem, comma-separated. */
      parent_problem_id?: string | readonly (string)[] | undefined;
      /** Return only incidents without an assignee. */
      unassigned?: boolean | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'assignment_group' | 'assigned_to' | 'category' | 'ci_id' | 'parent_problem_id' | 'acknowledged_at' | 'reopen_count' | readonly ('assignment_group' | 'assigned_to' | 'category' | 'ci_id' | 'parent_problem_id' | 'acknowledged_at' | 'reopen_count')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: assignment_group, assigned_to, category, opened_by, ci_id, parent_problem_id. */
      not?: string | undefined;
      /** Return only incidents that were reopened at least once. */
      reopened?: boolean | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only incidents created at least this many hours ago. */
      min_age_hours?: number | undefined;
      /** Return only incidents created at most this many hours ago. */
      max_age_hours?: number | undefined;
      /** Return only incidents resolved after this time (exclusive). */
      resolved_after?: TimeOrDate | undefined;
      /** Return only incidents resolved before this time (exclusive). */
      resolved_before?: TimeOrDate | undefined;
      /** Return only incidents acknowledged after this time (exclusive). */
      acknowledged_after?: TimeOrDate | undefined;
      /** Return only incidents acknowledged before this time (exclusive). */
      acknowledged_before?: TimeOrDate | undefined;
      /** Return only incidents whose SLA target ends after this time (exclusive). */
      sla_breach_after?: TimeOrDate | undefined;
      /** Return only incidents whose SLA target ends before this time (exclusive). */
      sla_breach_before?: TimeOrDate | undefined;
      /** Return only incidents created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only incidents created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only incidents updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only incidents updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only incidents that contain all of these words in short_description, description, category, external_id or id, ignoring case and accents. */
      q?: string | undefined;
      /** Fields whose values form the groups, comma-separated; at most two. Without it there are no groups. */
      group_by?: 'priority' | 'state' | 'assignment_group' | 'assigned_to' | 'category' | 'opened_by' | 'ci_id' | readonly ('priority' | 'state' | 'assignment_group' | 'assigned_to' | 'category' | 'opened_by' | 'ci_id')[] | undefined;
      /** Figure to sort the groups by. */
      sort?: 'count' | 'resolved' | 'sla_attainment' | 'mean_time_to_resolve_minutes' | 'mean_time_to_acknowledge_minutes' | 'reopened' | undefined;
      /** Order of the groups. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of groups. */
      top?: number | undefined;
      /** Also return median times, in total and per group. */
      median?: boolean | undefined;
      /** Return one entry for each day, week (from Monday) or month of the last `days` days (UTC). */
      interval?: 'day' | 'week' | 'month' | undefined;
      /** Number of days for `interval`, including today. */
      days?: number | undefined;
      /** Filters of the figures to compare with, as a URL query. They replace the filters with the same name; the others apply, too. Example: `created_after=2026-02-01&created_before=2026-03-01`. */
      compare?: string | undefined;
    };
    output: IncidentStatistics;
  };
  /** Counts changes exactly, with mean and median times until they are completed (the last update of a completed change). Supports all filters of the list. The figures also appear per group, per day, week or month, and next to those of other filters on request. Periods count creations, acknowledgements and resolutions within them. */
  getChangeStatistics: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled' | readonly ('draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled')[] | undefined;
      /** Filter by type, comma-separated. */
      type?: 'standard' | 'normal' | 'emergency' | readonly ('standard' | 'normal' | 'emergency')[] | undefined;
      /** Filter by risk, comma-separated. */
      risk?: 'low' | 'medium' | 'high' | readonly ('low' | 'medium' | 'high')[] | undefined;
      /** Filter by assignment group. */
      assignment_group?: string | undefined;
      /** Filter by assignee. */
      assigned_to?: string | undefined;
      /** Filter by requester. */
      requested_by?: string | undefined;
      /** Return only changes of any of these configuration items, comma-separated. */
      ci_ids?: string | readonly (string)[] | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'assignment_group' | 'assigned_to' | readonly ('assignment_group' | 'assigned_to')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: assignment_group, assigned_to, requested_by, ci_ids. */
      not?: string | undefined;
      /** Return only changes whose planned window ends after this time. */
      planned_after?: TimeOrDate | undefined;
      /** Return only changes whose planned window starts before this time. */
      planned_before?: TimeOrDate | undefined;
      /** Return only changes created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only changes created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only changes updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only changes updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only changes that contain all of these words in short_description, description, ci_ids or id, ignoring case and accents. */
      q?: string | undefined;
      /** Fields whose values form the groups, comma-separated; at most two. Without it there are no groups. */
      group_by?: 'state' | 'type' | 'risk' | 'assignment_group' | 'assigned_to' | 'requested_by' | readonly ('state' | 'type' | 'risk' | 'assignment_group' | 'assigned_to' | 'requested_by')[] | undefined;
      /** Figure to sort the groups by. */
      sort?: 'count' | 'resolved' | 'sla_attainment' | 'mean_time_to_resolve_minutes' | undefined;
      /** Order of the groups. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of groups. */
      top?: number | undefined;
      /** Also return median times, in total and per group. */
      median?: boolean | undefined;
      /** Return one entry for each day, week (from Monday) or month of the last `days` days (UTC). */
      interval?: 'day' | 'week' | 'month' | undefined;
      /** Number of days for `interval`, including today. */
      days?: number | undefined;
      /** Filters of the figures to compare with, as a URL query. They replace the filters with the same name; the others apply, too. Example: `created_after=2026-02-01&created_before=2026-03-01`. */
      compare?: string | undefined;
    };
    output: ChangeStatistics;
  };
  /** Counts requests exactly, with mean and median times until they are fulfilled (the last update of a fulfilled request). Supports all filters of the list. The figures also appear per group, per day, week or month, and next to those of other filters on request. Periods count creations, acknowledgements and resolutions within them. */
  getRequestStatistics: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled' | readonly ('submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled')[] | undefined;
      /** Filter by item. */
      item?: string | undefined;
      /** Filter by recipient. */
      requested_for?: string | undefined;
      /** Filter by requester. */
      requested_by?: string | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'item' | 'requested_for' | readonly ('item' | 'requested_for')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: item, requested_for, requested_by. */
      not?: string | undefined;
      /** Return only requests created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only requests created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only requests updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only requests updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only requests that contain all of these words in short_description, description, item or id, ignoring case and accents. */
      q?: string | undefined;
      /** Fields whose values form the groups, comma-separated; at most two. Without it there are no groups. */
      group_by?: 'state' | 'item' | 'requested_for' | 'requested_by' | readonly ('state' | 'item' | 'requested_for' | 'requested_by')[] | undefined;
      /** Figure to sort the groups by. */
      sort?: 'count' | 'resolved' | 'sla_attainment' | 'mean_time_to_resolve_minutes' | undefined;
      /** Order of the groups. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of groups. */
      top?: number | undefined;
      /** Also return median times, in total and per group. */
      median?: boolean | undefined;
      /** Return one entry for each day, week (from Monday) or month of the last `days` days (UTC). */
      interval?: 'day' | 'week' | 'month' | undefined;
      /** Number of days for `interval`, including today. */
      days?: number | undefined;
      /** Filters of the figures to compare with, as a URL query. They replace the filters with the same name; the others apply, too. Example: `created_after=2026-02-01&created_before=2026-03-01`. */
      compare?: string | undefined;
    };
    output: RequestStatistics;
  };
  /** Lists the work notes, oldest first. Private notes of others are returned to, and counted for, managers only. */
  listWorkNotes: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: WorkNotePage;
  };
  /** Adds a work note. `author` is set to the caller. Viewers can add notes to incidents that they reported. */
  createWorkNote: {
    method: 'POST';
    params: {
      /** ID of the incident. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: WorkNoteCreation;
    output: WorkNote;
  };
  /** Returns a presigned request for a file of at most 10 MB. Send the bytes with it, then complete the attachment, then add a note with its ID in `attachment_ids`. Viewers can upload files of records that they created or that are for them. An upload that is not complete expires after a day, a file that no note has after seven days. */
  createAttachment: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: AttachedFileCreation;
    output: CreatedFile;
  };
  /** Compares the content of the uploaded file with its media type, and makes it available. Only its uploader can do this. A file of another type is deleted, and the response is 400. Repeating the request has no effect. */
  completeAttachment: {
    method: 'POST';
    params: {
      /** ID of the attachment. */
      id: string;
    };
    output: AttachedFile;
  };
  /** Returns the file with a URL to download it. Everyone who can see the note can get its files; before that, only the uploader and managers can. The download always has the header `Content-Disposition: attachment`. */
  getAttachment: {
    method: 'GET';
    params: {
      /** ID of the attachment. */
      id: string;
    };
    output: DownloadableFile;
  };
  /** Deletes the file. Its uploader can delete it until a note has it; managers can always do so. The note keeps its name. */
  deleteAttachment: {
    method: 'DELETE';
    params: {
      /** ID of the attachment. */
      id: string;
    };
    output: undefined;
  };
  /** Lists problems that match all filters. Deleted problems are not included. */
  listProblems: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled' | readonly ('new' | 'assessed' | 'root_cause_known' | 'fix_in_progress' | 'resolved' | 'closed' | 'cancelled')[] | undefined;
      /** Filter by priority, comma-separated. */
      priority?: 'P1' | 'P2' | 'P3' | 'P4' | readonly ('P1' | 'P2' | 'P3' | 'P4')[] | undefined;
      /** Return only known errors. */
      known_error?: boolean | undefined;
      /** Filter by assignment group. */
      assignment_group?: string | undefined;
      /** Filter by assignee. */
      assigned_to?: string | undefined;
      /** Filter by creator. */
      opened_by?: string | undefined;
      /** Filter by configuration item, comma-separated. */
      ci_id?: string | readonly (string)[] | undefined;
      /** Return only problems with any of these changes, comma-separated. */
      change_ids?: string | readonly (string)[] | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'assignment_group' | 'assigned_to' | 'ci_id' | readonly ('assignment_group' | 'assigned_to' | 'ci_id')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: assignment_group, assigned_to, opened_by, ci_id. */
      not?: string | undefined;
      /** Return only problems resolved after this time (exclusive). */
      resolved_after?: TimeOrDate | undefined;
      /** Return only problems resolved before this time (exclusive). */
      resolved_before?: TimeOrDate | undefined;
      /** Return only problems created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only problems created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only problems updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only problems updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only problems that contain all of these words in short_description, root_cause, workaround, description or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | 'priority' | undefined;
      /** Sort order. `sort=priority&order=asc` lists the most urgent first. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ProblemRecordPage;
  };
  /** Creates a problem. `opened_by` is set to the caller. */
  createProblem: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ProblemRecordCreation;
    output: ProblemRecord;
  };
  /** Returns a problem. Managers can get a deleted problem with `include_deleted`. */
  getProblem: {
    method: 'GET';
    params: {
      /** ID of the problem. */
      id: string;
    };
    query: {
      /** Whether to include a deleted problem. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: ProblemRecord;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. A state transition that is not allowed returns 409 with `allowed_transitions`. */
  updateProblem: {
    method: 'PATCH';
    params: {
      /** ID of the problem. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: ProblemRecordPatch;
    output: ProblemRecord;
  };
  /** Deletes a problem. Deleted problems are hidden but retained for audit, and keep their state. */
  deleteProblem: {
    method: 'DELETE';
    params: {
      /** ID of the problem. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of a problem, oldest first. */
  listProblemHistory: {
    method: 'GET';
    params: {
      /** ID of the problem. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted problem. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Lists the notes, oldest first. Private notes of others are returned to, and counted for, managers only. */
  listProblemNotes: {
    method: 'GET';
    params: {
      /** ID of the problem. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: RecordNotePage;
  };
  /** Adds a note. `author` is set to the caller. */
  createProblemNote: {
    method: 'POST';
    params: {
      /** ID of the problem. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: WorkNoteCreation;
    output: RecordNote;
  };
  /** Lists the incidents whose `parent_problem_id` is the problem. */
  listProblemIncidents: {
    method: 'GET';
    params: {
      /** ID of the problem. */
      id: string;
    };
    query: {
      /** Filter by state, comma-separated. */
      state?: 'new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened' | readonly ('new' | 'in_progress' | 'on_hold' | 'resolved' | 'closed' | 'cancelled' | 'reopened')[] | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'priority' | 'updated_at' | 'sla_breach_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: IncidentPage;
  };
  /** Lists the links of an incident, oldest first; a record has at most 100. */
  getIncidentLinks: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    output: LinkList;
  };
  /** Links the incident; the other record shows the link from its side, where `duplicate_of` is `duplicated_by`, `caused_by` is `causes`, `related_to` is `related_to`. Both histories record it. A link to the same record is replaced, so a request can be repeated. */
  createIncidentLink: {
    method: 'POST';
    params: {
      /** ID of the incident. */
      id: string;
    };
    body: LinkCreation;
    output: Link;
  };
  /** Lists the links of a problem, oldest first; a record has at most 100. */
  getProblemLinks: {
    method: 'GET';
    params: {
      /** ID of the problem. */
      id: string;
    };
    output: LinkList;
  };
  /** Lists the links of a change, oldest first; a record has at most 100. */
  getChangeLinks: {
    method: 'GET';
    params: {
      /** ID of the change. */
      id: string;
    };
    output: LinkList;
  };
  /** Removes the link between the two records. Both histories record it. */
  deleteIncidentLink: {
    method: 'DELETE';
    params: {
      /** ID of the incident. */
      id: string;
      /** ID of the linked incident, problem or change. */
      record_id: string;
    };
    output: undefined;
  };
  /** Lists configuration items that match all filters. Deleted configuration items are not included. */
  listCis: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by name. */
      name?: string | undefined;
      /** Filter by class. */
      class?: string | undefined;
      /** Filter by status, comma-separated. */
      status?: 'operational' | 'degraded' | 'down' | 'retired' | readonly ('operational' | 'degraded' | 'down' | 'retired')[] | undefined;
      /** Filter by environment. */
      environment?: string | undefined;
      /** Filter by owner. */
      owner?: string | undefined;
      /** Filter by location. */
      location?: string | undefined;
      /** Filter by IP address. */
      ip_address?: string | undefined;
      /** Return only items that directly depend on one of these items, comma-separated. */
      depends_on?: string | readonly (string)[] | undefined;
      /** Return only items on which one of these items directly depends, comma-separated. */
      needed_by?: string | readonly (string)[] | undefined;
      /** With `depends_on` or `needed_by`: also follow indirect dependencies. */
      transitive?: boolean | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'class' | 'environment' | 'owner' | 'location' | 'ip_address' | readonly ('class' | 'environment' | 'owner' | 'location' | 'ip_address')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: name, class, environment, owner, location. */
      not?: string | undefined;
      /** Return only configuration items created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only configuration items created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only configuration items updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only configuration items updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only configuration items that contain all of these words in name, class, environment, owner, location, ip_address or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | 'status' | undefined;
      /** Sort order. `sort=status&order=asc` lists operational first, then degraded, down, retired. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: CiPage;
  };
  /** Creates a configuration item. Names need not be unique; discovery updates the oldest item with a name and class. */
  createCi: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: CiCreation;
    output: Ci;
  };
  /** Returns a configuration item. Managers can get a deleted configuration item with `include_deleted`. */
  getCi: {
    method: 'GET';
    params: {
      /** ID of the configuration item. */
      id: string;
    };
    query: {
      /** Whether to include a deleted configuration item. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Ci;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. `attributes` are merged by key; `relations` are replaced. */
  updateCi: {
    method: 'PATCH';
    params: {
      /** ID of the configuration item. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: CiPatch;
    output: Ci;
  };
  /** Deletes a configuration item. Deleted configuration items are hidden but retained for audit, and keep their state. */
  deleteCi: {
    method: 'DELETE';
    params: {
      /** ID of the configuration item. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of a configuration item, oldest first. */
  listCiHistory: {
    method: 'GET';
    params: {
      /** ID of the configuration item. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted configuration item. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Returns the items that depend on it, directly or indirectly, nearest first, and its open incidents. An item depends on the targets of its `depends_on` and `runs_on` relations and on the items that are `part_of` it; `connected_to` implies no dependency. Cycles are followed once. */
  getCiImpact: {
    method: 'GET';
    params: {
      /** ID of the configuration item. */
      id: string;
    };
    query: {
      /** Maximum number of dependency levels to follow. */
      depth?: number | undefined;
      /** Maximum number of affected items to return, nearest first. */
      limit?: number | undefined;
    };
    output: CiImpact;
  };
  /** Lists changes that match all filters. Deleted changes are not included. */
  listChanges: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled' | readonly ('draft' | 'submitted' | 'approved' | 'rejected' | 'implementing' | 'completed' | 'cancelled')[] | undefined;
      /** Filter by type, comma-separated. */
      type?: 'standard' | 'normal' | 'emergency' | readonly ('standard' | 'normal' | 'emergency')[] | undefined;
      /** Filter by risk, comma-separated. */
      risk?: 'low' | 'medium' | 'high' | readonly ('low' | 'medium' | 'high')[] | undefined;
      /** Filter by assignment group. */
      assignment_group?: string | undefined;
      /** Filter by assignee. */
      assigned_to?: string | undefined;
      /** Filter by requester. */
      requested_by?: string | undefined;
      /** Return only changes of any of these configuration items, comma-separated. */
      ci_ids?: string | readonly (string)[] | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'assignment_group' | 'assigned_to' | readonly ('assignment_group' | 'assigned_to')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: assignment_group, assigned_to, requested_by, ci_ids. */
      not?: string | undefined;
      /** Return only changes whose planned window ends after this time. */
      planned_after?: TimeOrDate | undefined;
      /** Return only changes whose planned window starts before this time. */
      planned_before?: TimeOrDate | undefined;
      /** Return only changes created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only changes created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only changes updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only changes updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only changes that contain all of these words in short_description, description, ci_ids or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | 'planned_start' | 'risk' | 'sla_breach_at' | undefined;
      /** Sort order. `sort=risk&order=asc` lists low risk first; `sort=planned_start&order=asc` lists unplanned changes first. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ChangePage;
  };
  /** Creates a change and submits it for approval unless `state` is `draft`. `requested_by` is set to the caller. */
  createChange: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ChangeCreation;
    output: Change;
  };
  /** Returns the changes whose planned window overlaps the time range, ordered by planned start, except rejected and cancelled ones. Also returns collisions: pairs of pending changes that overlap in time and affect the same configuration item or a dependency of it. */
  getChangeCalendar: {
    method: 'GET';
    query: {
      /** Start of the time range. */
      from: TimeOrDate;
      /** End of the time range, at most 92 days after `from`. */
      to: TimeOrDate;
    };
    output: ChangeCalendar;
  };
  /** Lists the pending changes that overlap a time window and affect the same configuration items or dependencies of them, ordered by planned start. The window need not belong to a stored change, so that a form can check it. */
  getChangeCollisions: {
    method: 'GET';
    query: {
      /** Start of the window. */
      from: TimeOrDate;
      /** End of the window. Must be after `from`. */
      to: TimeOrDate;
      /** Affected configuration items, comma-separated. */
      ci_ids: string | readonly (string)[];
      /** Change that has this window; it does not collide with itself. */
      change_id?: string | undefined;
    };
    output: ChangeCollisions;
  };
  /** Returns a change. Managers can get a deleted change with `include_deleted`. */
  getChange: {
    method: 'GET';
    params: {
      /** ID of the change. */
      id: string;
    };
    query: {
      /** Whether to include a deleted change. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Change;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. A state transition that is not allowed returns 409 with `allowed_transitions`. Use the approve and reject operations to decide. After approval, changing `type`, `risk`, `planned_start`, `planned_end`, `ci_ids` returns 409 `already_approved`. */
  updateChange: {
    method: 'PATCH';
    params: {
      /** ID of the change. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: ChangePatch;
    output: Change;
  };
  /** Deletes a change. Deleted changes are hidden but retained for audit, and keep their state. */
  deleteChange: {
    method: 'DELETE';
    params: {
      /** ID of the change. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same time, the first decision wins and the others return 409. */
  approveChange: {
    method: 'POST';
    params: {
      /** ID of the change. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: Change;
  };
  /** Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same time, the first decision wins and the others return 409. */
  rejectChange: {
    method: 'POST';
    params: {
      /** ID of the change. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: Change;
  };
  /** Lists all changes of a change, oldest first. */
  listChangeHistory: {
    method: 'GET';
    params: {
      /** ID of the change. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted change. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Lists the notes, oldest first. Private notes of others are returned to, and counted for, managers only. */
  listChangeNotes: {
    method: 'GET';
    params: {
      /** ID of the change. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: RecordNotePage;
  };
  /** Adds a note. `author` is set to the caller. */
  createChangeNote: {
    method: 'POST';
    params: {
      /** ID of the change. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: WorkNoteCreation;
    output: RecordNote;
  };
  /** Lists service requests that match all filters. Deleted service requests are not included. */
  listRequests: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by state, comma-separated. */
      state?: 'submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled' | readonly ('submitted' | 'approved' | 'rejected' | 'fulfilled' | 'cancelled')[] | undefined;
      /** Filter by item. */
      item?: string | undefined;
      /** Filter by recipient. */
      requested_for?: string | undefined;
      /** Filter by requester. */
      requested_by?: string | undefined;
      /** Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. `on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records. */
      sla?: 'breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept' | readonly ('breached' | 'due_soon' | 'at_risk' | 'on_track' | 'kept')[] | undefined;
      /** Return only records without a value in all of these fields, comma-separated. */
      missing?: 'item' | 'requested_for' | readonly ('item' | 'requested_for')[] | undefined;
      /** Leave out records with these values, comma-separated as field:value. Fields: item, requested_for, requested_by. */
      not?: string | undefined;
      /** Return only requests created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only requests created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only requests updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only requests updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only requests that contain all of these words in short_description, description, item or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | 'sla_breach_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ServiceRequestPage;
  };
  /** Creates a service request and submits it for approval. Every role may do this. `requested_by` is set to the caller. `item` need not be in the catalog. */
  createRequest: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ServiceRequestCreation;
    output: ServiceRequest;
  };
  /** Returns the items that this deployment offers, in the order of its configuration. */
  getRequestCatalog: {
    method: 'GET';
    output: RequestCatalog;
  };
  /** Returns a service request. Managers can get a deleted service request with `include_deleted`. */
  getRequest: {
    method: 'GET';
    params: {
      /** ID of the service request. */
      id: string;
    };
    query: {
      /** Whether to include a deleted service request. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: ServiceRequest;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. A state transition that is not allowed returns 409 with `allowed_transitions`. Use the approve and reject operations to decide. After approval, changing `item`, `quantity`, `requested_for` returns 409 `already_approved`. */
  updateRequest: {
    method: 'PATCH';
    params: {
      /** ID of the service request. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: ServiceRequestPatch;
    output: ServiceRequest;
  };
  /** Deletes a service request. Deleted service requests are hidden but retained for audit, and keep their state. */
  deleteRequest: {
    method: 'DELETE';
    params: {
      /** ID of the service request. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same time, the first decision wins and the others return 409. */
  approveRequest: {
    method: 'POST';
    params: {
      /** ID of the service request. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: ServiceRequest;
  };
  /** Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same time, the first decision wins and the others return 409. */
  rejectRequest: {
    method: 'POST';
    params: {
      /** ID of the service request. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: ServiceRequest;
  };
  /** Lists all changes of a service request, oldest first. */
  listRequestHistory: {
    method: 'GET';
    params: {
      /** ID of the service request. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted service request. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Lists the notes, oldest first. Private notes of others are returned to, and counted for, managers only. */
  listRequestNotes: {
    method: 'GET';
    params: {
      /** ID of the service request. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: RecordNotePage;
  };
  /** Adds a note. `author` is set to the caller. Viewers can add notes to requests that they created or that are for them. */
  createRequestNote: {
    method: 'POST';
    params: {
      /** ID of the service request. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: WorkNoteCreation;
    output: RecordNote;
  };
  /** Lists proposals that match all filters. Deleted proposals are not included. */
  listProposals: {
    method: 'GET';
    query: {
      /** Filter by state, comma-separated. */
      state?: 'pending' | 'approved' | 'rejected' | 'applied' | 'failed' | readonly ('pending' | 'approved' | 'rejected' | 'applied' | 'failed')[] | undefined;
      /** Filter by operation, comma-separated. */
      operation?: 'createIncident' | 'updateIncident' | 'createCi' | 'updateCi' | readonly ('createIncident' | 'updateIncident' | 'createCi' | 'updateCi')[] | undefined;
      /** Filter by record. */
      record_id?: string | undefined;
      /** Filter by proposer. */
      requested_by?: string | undefined;
      /** Return only proposals created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only proposals created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only proposals updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only proposals updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only proposals that contain all of these words in evidence or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ProposalPage;
  };
  /** Stores a change that somebody else approves. Every role may propose; nothing changes before the approval. The body is validated like the body of the operation. */
  createProposal: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ProposalCreation;
    output: Proposal;
  };
  /** Returns a proposal. Managers can get a deleted proposal with `include_deleted`. */
  getProposal: {
    method: 'GET';
    params: {
      /** ID of the proposal. */
      id: string;
    };
    query: {
      /** Whether to include a deleted proposal. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Proposal;
    notModified: true;
  };
  /** Applies the proposal once, as a request of the approver, who needs the role of the operation and must not be the proposer, except with the role `super_admin`. The history of the record names the approver and the proposal. If the operation is rejected, for example because the record has changed, the proposal becomes `failed` with the `error`. Repeating an interrupted approval completes it. */
  approveProposal: {
    method: 'POST';
    params: {
      /** ID of the proposal. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: Proposal;
  };
  /** Rejects the proposal. If several callers decide at the same time, the first decision wins. */
  rejectProposal: {
    method: 'POST';
    params: {
      /** ID of the proposal. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: Decision | undefined;
    output: Proposal;
  };
  /** Lists all changes of a proposal, oldest first. */
  listProposalHistory: {
    method: 'GET';
    params: {
      /** ID of the proposal. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted proposal. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Starts a job that processes the records one by one with the role the caller has now. An invalid record does not affect the others. `import` keeps dates, authors, state, notes and history of incidents from another system and requires `itsm_manager`. Bulk requests do not count against the rate limit. */
  bulkIncidents: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: BulkIncidentUpdate | BulkIncidentResolution | BulkIncidentCreation | BulkIncidentImport;
    output: JobAccepted;
  };
  /** Starts a job that processes the records one by one with the role the caller has now. An invalid record does not affect the others. `import` keeps dates, authors, state, notes and history of problems from another system and requires `itsm_manager`. Bulk requests do not count against the rate limit. */
  bulkProblems: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: BulkProblemUpdate | BulkProblemCreation | BulkProblemImport;
    output: JobAccepted;
  };
  /** Starts a job that processes the records. `discover` updates the configuration item with the given name and class, or creates it, sets `discovered_at` and emits `ci.discovered`. Bulk requests do not count against the rate limit. */
  bulkCis: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: BulkCiUpdate | BulkCiCreation | BulkCiDiscovery;
    output: JobAccepted;
  };
  /** Lists the caller's jobs of the last 30 days, newest first. An `itsm_manager` sees all jobs. */
  listJobs: {
    method: 'GET';
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: JobPage;
  };
  /** Returns a job with the result of each record. Only an `itsm_manager` can get the jobs of others. */
  getJob: {
    method: 'GET';
    params: {
      /** ID of the job. */
      id: string;
    };
    output: Job;
  };
  /** Lists inbound webhooks, newest first. */
  listInboundWebhooks: {
    method: 'GET';
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: InboundWebhookPage;
  };
  /** Creates an inbound webhook. The response contains the URL for the sender and, only once, the secret. */
  createInboundWebhook: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: InboundWebhookCreation;
    output: InboundWebhook;
  };
  /** Returns the webhook without its secret. */
  getInboundWebhook: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: InboundWebhook;
    notModified: true;
  };
  /** Applies a JSON merge patch. If `secret_enabled` becomes true, the response contains the new secret once. */
  updateInboundWebhook: {
    method: 'PATCH';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: InboundWebhookUpdate;
    output: InboundWebhook;
  };
  /** Deletes the webhook. Its URL returns 404; incidents it created are kept. */
  deleteInboundWebhook: {
    method: 'DELETE';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Receives an event from another system. The ID in the URL cannot be guessed. If the webhook has a secret, the request also needs a signature or the access token of a caller who may create incidents. Each webhook accepts 100 events per second of up to 256 KB. If the mapping does not produce a valid incident, the response is 422 and the event is stored for replay. A repeated event has no effect and returns the first response with `Idempotent-Replayed: true`: for 30 days if `webhook-id` or `Idempotency-Key` is the same, and for 24 hours if a body signed with `X-Service-Signature` or `X-Hub-Signature-256` is the same (unless `accept_repeated_bodies` is true). Senders with identical bodies should sign a unique ID with the Standard Webhooks headers. Libraries for PagerDuty append `/v2/enqueue`, which works as well. */
  receiveInboundEvent: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Hexadecimal HMAC-SHA256 of the body with the secret as key, optionally prefixed with `sha256=`. */
      xServiceSignature?: string | undefined;
      /** Alias of `X-Service-Signature` (GitHub convention). */
      xHubSignature256?: string | undefined;
      /** Message ID (Standard Webhooks). Repeated IDs are ignored. */
      webhookId?: string | undefined;
      /** Unix timestamp (Standard Webhooks), at most 5 minutes off. */
      webhookTimestamp?: string | undefined;
      /** Signature (Standard Webhooks). */
      webhookSignature?: string | undefined;
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: unknown;
    output: ReceivedAnswer;
  };
  /** Replaces the secret. The previous secret is accepted for another 24 hours. */
  rotateInboundSecret: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    output: InboundWebhook;
  };
  /** Evaluates filters and templates for a payload without writing anything. Uses the stored settings or `settings`. */
  testInboundWebhook: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    body: InboundLabRequest;
    output: InboundLabResult;
  };
  /** Evaluates filters and templates for a payload before the webhook exists, without writing anything. */
  previewInboundWebhook: {
    method: 'POST';
    body: InboundPreviewRequest;
    output: InboundLabResult;
  };
  /** Lists the events of the last 30 days, newest first, without payloads. */
  listInboundEvents: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: InboundEventPage;
  };
  /** Returns a received event with its payload. */
  getInboundEvent: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
      /** ID of the received event. */
      event_id: string;
    };
    output: InboundEvent;
  };
  /** Processes the event again with the current settings of the webhook. The replay is stored as a new event. */
  replayInboundEvent: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
      /** ID of the received event. */
      event_id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    output: ReceivedAnswer;
  };
  /** Lists the last 20 rejected calls, newest first. They are retained for 7 days after the last one. If many calls are rejected at the same time, some of them are not listed. Events that the filters did not match or the mapping could not use are listed as received events. */
  listInboundRejections: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    output: InboundRejectionPage;
  };
  /** Lists outbound webhooks, newest first. */
  listOutboundWebhooks: {
    method: 'GET';
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: OutboundWebhookPage;
  };
  /** Creates an outbound webhook owned by the caller. If `sign_payloads` is true, the response contains the secret once. */
  createOutboundWebhook: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: OutboundWebhookCreation;
    output: OutboundWebhook;
  };
  /** Returns the webhook without its secret and header values. */
  getOutboundWebhook: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: OutboundWebhook;
    notModified: true;
  };
  /** Applies a JSON merge patch. Deactivating the webhook cancels pending deliveries; events that occur while it is inactive are not delivered later. Enabling `sign_payloads` creates a secret, which the response contains once. Changing the origin (scheme, host or port) of `url` removes the stored headers and replaces the secret, so that the new receiver does not get credentials of the previous one. The same request may set new `headers`. The response lists what was removed in `notices` and contains the new `secret` once. */
  updateOutboundWebhook: {
    method: 'PATCH';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: OutboundWebhookUpdate;
    output: OutboundWebhook;
  };
  /** Deletes the webhook and cancels pending deliveries. */
  deleteOutboundWebhook: {
    method: 'DELETE';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Replaces the secret and returns the new one once. For 24 hours, deliveries are signed with both secrets: `webhook-signature` contains both signatures, `X-Service-Signature` the new one and `X-Service-Signature-Previous` the previous one. */
  rotateOutboundSecret: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    output: OutboundWebhook;
  };
  /** Sends a signed `ping` event with all configured headers, even if the webhook is inactive. Get the delivery to see the response of the receiver. Pings are not retried. */
  testOutboundWebhook: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    output: DeliverySummary;
  };
  /** Lists the deliveries of the last 30 days, newest first. Deactivating the webhook cancels pending deliveries. */
  listDeliveries: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    query: {
      /** Filter by status. */
      status?: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled' | undefined;
      /** Filter by event type. */
      event?: 'incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved' | 'ping' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: DeliveryPage;
  };
  /** Returns the delivery with its payload and all attempts. */
  getDelivery: {
    method: 'GET';
    params: {
      /** ID of the webhook. */
      id: string;
      /** ID of the delivery (header `X-Service-Delivery`). */
      delivery_id: string;
    };
    output: Delivery;
  };
  /** Creates a delivery with the same body and the same `webhook-id`, regardless of the status of the original. The webhook must be active. */
  replayDelivery: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
      /** ID of the delivery (header `X-Service-Delivery`). */
      delivery_id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    output: DeliverySummary;
  };
  /** Creates a delivery for every event whose deliveries since the given time all failed. Safe to repeat: events that are pending or were delivered are skipped. A request starts at most 500 deliveries; if `more` is true, repeat it. */
  recoverDeliveries: {
    method: 'POST';
    params: {
      /** ID of the webhook. */
      id: string;
    };
    body: Recovery;
    output: RecoveryStarted;
  };
  /** Success rate, latency and last error of each outbound webhook, newest webhook first, from its latest 50 deliveries. */
  listDeliveryStatistics: {
    method: 'GET';
    query: {
      /** Only this webhook. */
      webhook_id?: string | undefined;
      /** Maximum number of webhooks per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: DeliveryStatisticsPage;
  };
  /** Lists the events of the last 30 days, oldest first. Events of one record are in the order of its changes. To follow the feed, repeat the request with `after` set to `next_after`. If the first event does not directly follow `after`, the events in between have expired. For deleted records, callers without the role `itsm_manager` see `{id, url, api_url, withheld: "record_deleted"}` as `data`. The events of one record (`record_id`) are found directly and can be listed newest first. A request that filters by type searches a limited part of the feed. */
  listEvents: {
    method: 'GET';
    query: {
      /** Return only events with a higher sequence number. */
      after?: number | undefined;
      /** With `order=desc`: return only events with a lower sequence number. */
      before?: number | undefined;
      /** Return only events of these types, comma-separated. */
      type?: 'incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved' | readonly ('incident.created' | 'incident.updated' | 'incident.resolved' | 'incident.priority_changed' | 'change.submitted' | 'change.approved' | 'change.rejected' | 'request.submitted' | 'request.approved' | 'sla.breach_warning' | 'sla.breached' | 'ci.discovered' | 'incident.acknowledged' | 'incident.escalated' | 'problem.created' | 'problem.updated' | 'problem.resolved')[] | undefined;
      /** Return only events of this record. */
      record_id?: string | undefined;
      /** With `record_id`: `desc` lists the newest events first. To continue, repeat with `before`. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
    };
    output: EventPage;
  };
  /** Lists the notifications of the last 30 days, newest first: those for the caller, for the caller's roles and for the groups the caller follows. Topics that are switched off in the preferences are left out. */
  listNotifications: {
    method: 'GET';
    query: {
      /** Return the notifications of this group instead, even if the caller does not follow it. */
      group?: string | undefined;
      /** Return only unread notifications. */
      unread?: boolean | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: NotificationPage;
  };
  /** Marks the notification as read for the caller only. Safe to repeat. */
  readNotification: {
    method: 'POST';
    params: {
      /** ID of the notification. */
      id: string;
    };
    output: Notification;
  };
  /** Marks all notifications up to a given time as read. Later notifications stay unread. */
  readAllNotifications: {
    method: 'POST';
    body: {
      /** Time up to which to mark notifications as read. Defaults to the current time. */
      until?: TimeOrDate | undefined;
    };
    output: ReadNotifications;
  };
  /** Returns the groups the caller follows. Empty by default. */
  getNotificationSettings: {
    method: 'GET';
    output: NotificationSettings;
  };
  /** Replaces the groups the caller follows. Callers can follow any group. */
  updateNotificationSettings: {
    method: 'PATCH';
    body: NotificationSettings;
    output: NotificationSettings;
  };
  /** Returns the caller's contact methods, that of the account first. Programs have no account address. */
  getContactMethods: {
    method: 'GET';
    output: ContactMethods;
  };
  /** Adds an e-mail address, a phone number or a personal webhook. Sends a verification code to an e-mail address or a phone number. The code has 6 digits and is valid for 10 minutes and 5 tries. A person has at most 10 contact methods. */
  createContactMethod: {
    method: 'POST';
    body: ContactMethodCreation;
    output: ContactMethod;
  };
  /** Deletes a contact method. Rules skip it from now on. The address of the account cannot be deleted. */
  deleteContactMethod: {
    method: 'DELETE';
    params: {
      /** ID of the contact method. */
      id: string;
    };
    output: undefined;
  };
  /** Proves with the code that the caller receives what is sent there. The code has 6 digits and is valid for 10 minutes and 5 tries. */
  verifyContactMethod: {
    method: 'POST';
    params: {
      /** ID of the contact method. */
      id: string;
    };
    body: {
      /** The code. */
      code: string;
    };
    output: ContactMethod;
  };
  /** Sends a new verification code, which replaces the last one. At most five codes per hour. */
  sendContactCode: {
    method: 'POST';
    params: {
      /** ID of the contact method. */
      id: string;
    };
    output: ContactMethod;
  };
  /** Sends a test message through one verified contact method. `last_delivery` of the contact method shows the outcome. At most 20 test messages per hour. */
  testContactMethod: {
    method: 'POST';
    params: {
      /** ID of the contact method. */
      id: string;
    };
    output: AcceptedMessage;
  };
  /** Returns the rules in force. By default, pages use all verified contact methods at once; notifications about assignments, mentions, new incidents for stakeholders and failed webhooks use the address of the account. */
  getNotificationRules: {
    method: 'GET';
    output: NotificationRules;
  };
  /** Replaces the rules. An empty list of `notifications` sends none. If no contact method of `pages` can be used, pages use all verified ones. */
  updateNotificationRules: {
    method: 'PUT';
    body: NotificationRulesUpdate;
    output: NotificationRules;
  };
  /** Sends a test page to the caller by the rules for pages, with all steps. `last_delivery` of the contact methods shows the outcome. At most 20 test messages per hour. */
  testNotificationRules: {
    method: 'POST';
    output: AcceptedMessage;
  };
  /** Sets `acknowledged_at` and `acknowledged_by`, moves a new incident to `in_progress` and ends its pages: nobody else is paged. Repeating it changes nothing. An incident that is resolved, closed or cancelled returns 409. */
  acknowledgeIncident: {
    method: 'POST';
    params: {
      /** ID of the incident. */
      id: string;
    };
    output: Incident;
  };
  /** Pages a policy, the person on call of a schedule, or a person, in addition to the pages that run already. A schedule or person is paged three times, five minutes apart, until somebody acknowledges. An incident that is resolved, closed or cancelled returns 409. */
  createPage: {
    method: 'POST';
    params: {
      /** ID of the incident. */
      id: string;
    };
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: PageCreation;
    output: Page;
  };
  /** Lists the last 50 pages with their steps, messages, failures and answers, newest first. `next_step_at` is the time of the next step. */
  getPages: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    output: PageList;
  };
  /** Lists changes of the last seven days before the incident on its configuration item or on items that it depends on, most suspect first, at most 20. Changes score higher the closer they are in time and in the graph. */
  getSuspectChanges: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    output: SuspectChangeList;
  };
  /** Counts the pages that reached each person, by day and by night (22:00 to 07:00), most disturbed first. A page counts once per person, however many messages it sent. Pages are counted for 400 days. */
  getPagingLoad: {
    method: 'GET';
    query: {
      /** First day. */
      from: string;
      /** Last day, inclusive. */
      to: string;
      /** IANA time zone of the days and nights. */
      time_zone?: string | undefined;
    };
    output: PagingLoad;
  };
  /** Shows the incident, the person who is asked, and a button. It changes nothing, so a program that previews links does not acknowledge. The link is in every message of a page and works for 24 hours. */
  showAcknowledgement: {
    method: 'GET';
    query: {
      /** Token of the link. */
      t?: string | undefined;
    };
    output: string;
  };
  /** Acknowledges the incident on behalf of the person whom the message was sent to, and ends its pages. */
  acknowledgeByLink: {
    method: 'POST';
    query: {
      /** Token of the link. */
      t?: string | undefined;
    };
    output: string;
  };
  /** Answers a question from published articles, with citations and a `confidence`. At medium confidence, the answer is the closest match and says so; at low confidence, it is "Not found" with `related` articles. Answers are cached for one hour and reused for questions with the same meaning. */
  askQuestion: {
    method: 'POST';
    body: Question;
    output: AnsweredQuestion;
  };
  /** Analyzes a record using similar resolved incidents and the knowledge base. IDs and durations come from stored data, not from the model. If there is little evidence, the confidence is low and the findings say so. */
  analyzeRecord: {
    method: 'POST';
    body: AnalysisRequest;
    output: Analysis;
  };
  /** Returns the most similar incidents with their resolution and resolution time, without OpenSearch among the 120,000 that were created or changed last. Uses no language model. */
  findExemplars: {
    method: 'POST';
    body: ExemplarsRequest;
    output: Exemplars;
  };
  /** Suggests field values from similar resolved incidents, without OpenSearch among the 120,000 that were created or changed last, with alternatives. Fields in `current` get no suggestion. Keywords in the text can raise the priority but never lower it. Uses no language model. */
  suggestFields: {
    method: 'POST';
    body: SuggestRequest;
    output: SuggestAnswer;
  };
  /** A copilot with tools that only read: incidents, changes, requests, configuration items, knowledge, people on call and, for managers, webhooks. It counts, measures and compares. The answer shows which tools it used, what it did not understand, and the lists or statistics with the same results. A repeated question is answered from the cache for a minute, until a record changes. */
  queryRecords: {
    method: 'POST';
    body: Query;
    output: QueryAnswer;
  };
  /** Lists up to three open known errors whose description, or one of whose incidents, resembles the incident. No language model is called. */
  getKnownErrors: {
    method: 'GET';
    params: {
      /** ID of the incident. */
      id: string;
    };
    output: KnownErrors;
  };
  /** Groups similar incidents of the last days that have no `parent_problem_id` and no link to a problem, largest group first. Examines the newest 500 incidents and returns at most 20 groups. No language model is called. */
  findProblemCandidates: {
    method: 'GET';
    query: {
      /** Age of the oldest incident in days. */
      days?: number | undefined;
      /** Minimum number of incidents in a group. */
      min_incidents?: number | undefined;
    };
    output: ProblemCandidates;
  };
  /** Counts the answers to questions, analyses, similar incidents and suggestions that came from the cache, in total and per day (UTC). The copilot is not counted. */
  getAiStatistics: {
    method: 'GET';
    query: {
      /** Number of days (UTC), including today. */
      days?: number | undefined;
    };
    output: AiStatistics;
  };
  /** Lists articles that match all filters, best match for `q` first. Deleted articles are not included. */
  listArticles: {
    method: 'GET';
    query: {
      /** Filter by state, comma-separated. Viewers see no drafts. */
      state?: 'draft' | 'published' | readonly ('draft' | 'published')[] | undefined;
      /** Filter by category. */
      category?: string | undefined;
      /** Filter by author. */
      created_by?: string | undefined;
      /** Return only articles with all of these tags (case-insensitive). */
      tags?: string | undefined;
      /** Return only articles created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only articles created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only articles updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only articles updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Words to search for in title, tags, category, body and ID, ignoring case and accents. Matches articles that contain all words or, if there are none, at least half of them. Rare words rank higher, as do matches in the title, then tags, then body. Codes such as F5-201 match as a whole. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. `relevance` without `q` lists the newest first. */
      sort?: 'relevance' | 'created_at' | 'updated_at' | undefined;
      /** Sort order. `sort=relevance&order=desc` lists the best match first. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: ArticlePage;
  };
  /** Creates an article, by default as a draft. `created_by` is set to the caller. Publishing it requires the role `itsm_manager`. */
  createArticle: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ArticleCreation;
    output: Article;
  };
  /** Returns an article. Viewers cannot get drafts. Managers can get deleted articles with `include_deleted`. */
  getArticle: {
    method: 'GET';
    params: {
      /** ID of the article. */
      id: string;
    };
    query: {
      /** Whether to include a deleted article. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Article;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. Agents change drafts. Managers also publish and unpublish articles, and change published ones. */
  updateArticle: {
    method: 'PATCH';
    params: {
      /** ID of the article. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: ArticleUpdate;
    output: Article;
  };
  /** Deletes an article. Deleted articles are hidden but retained for audit, and keep their state. */
  deleteArticle: {
    method: 'DELETE';
    params: {
      /** ID of the article. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of an article, oldest first. */
  listArticleHistory: {
    method: 'GET';
    params: {
      /** ID of the article. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted article. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Serves agents over the streamable HTTP transport, without sessions: one message per request, and JSON in the response. Tools call this API with the token of the request, so roles and rate limits apply to each call. */
  callMcp: {
    method: 'POST';
    query: {
      /** Tools to offer besides those that read: `propose` adds tools that propose changes, which a person approves; `write` adds tools that change records. */
      mode?: 'read' | 'propose' | 'write' | undefined;
    };
    options: {
      /** Version that was agreed on during the initialization. */
      mcpProtocolVersion?: string | undefined;
    };
    body: McpMessage;
    output: McpResponse | undefined;
  };
  /** Lists SLA policies that match all filters. Deleted SLA policies are not included. */
  listSlaPolicies: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Filter by kind of record, comma-separated. */
      kind?: 'incident' | 'request' | 'change' | readonly ('incident' | 'request' | 'change')[] | undefined;
      /** Return only SLA policies created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only SLA policies created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only SLA policies updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only SLA policies updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only SLA policies that contain all of these words in name, description or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: SlaPolicyPage;
  };
  /** Creates an SLA policy. Of all policies that cover a record, the one with the most conditions applies; of those with equally many, the one that names a group, then a category, then a priority. A policy for exactly the same records as another one returns 400 with the names of both. Open records are recalculated in the background (`GET /sla-policies/recalculation`). */
  createSlaPolicy: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: SlaPolicyCreation;
    output: SlaPolicy;
  };
  /** Returns how far the last change of a policy, a calendar or the default targets has reached the open records. Closed records keep what was measured. */
  getSlaRecalculation: {
    method: 'GET';
    output: SlaRecalculation;
  };
  /** Returns a SLA policy. Managers can get a deleted SLA policy with `include_deleted`. */
  getSlaPolicy: {
    method: 'GET';
    params: {
      /** ID of the policy. */
      id: string;
    };
    query: {
      /** Whether to include a deleted SLA policy. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: SlaPolicy;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. A policy for exactly the same records as another one returns 400 with the names of both. Open records are recalculated in the background (`GET /sla-policies/recalculation`). */
  updateSlaPolicy: {
    method: 'PATCH';
    params: {
      /** ID of the policy. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: SlaPolicyPatch;
    output: SlaPolicy;
  };
  /** Deletes an SLA policy. Open records get the next policy that covers them, or the default targets. */
  deleteSlaPolicy: {
    method: 'DELETE';
    params: {
      /** ID of the policy. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of a SLA policy, oldest first. */
  listSlaPolicyHistory: {
    method: 'GET';
    params: {
      /** ID of the policy. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted SLA policy. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Lists calendars that match all filters. Deleted calendars are not included. */
  listSlaCalendars: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Return only calendars created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only calendars created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only calendars updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only calendars updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only calendars that contain all of these words in name, description or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: CalendarPage;
  };
  /** Creates a calendar. A calendar without an open hour in 90 days of the next 400 returns 400. Open records of its policies are recalculated in the background (`GET /sla-policies/recalculation`). */
  createSlaCalendar: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: CalendarCreation;
    output: Calendar;
  };
  /** Returns a calendar. Managers can get a deleted calendar with `include_deleted`. */
  getSlaCalendar: {
    method: 'GET';
    params: {
      /** ID of the calendar. */
      id: string;
    };
    query: {
      /** Whether to include a deleted calendar. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Calendar;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. `hours` and `holidays` replace all of them. A calendar without an open hour in 90 days of the next 400 returns 400. Open records of its policies are recalculated in the background (`GET /sla-policies/recalculation`). */
  updateSlaCalendar: {
    method: 'PATCH';
    params: {
      /** ID of the calendar. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: CalendarPatch;
    output: Calendar;
  };
  /** Deletes a calendar. A calendar that a policy uses returns 409 `in_use`; `used_by` names the policies. */
  deleteSlaCalendar: {
    method: 'DELETE';
    params: {
      /** ID of the calendar. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of a calendar, oldest first. */
  listSlaCalendarHistory: {
    method: 'GET';
    params: {
      /** ID of the calendar. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted calendar. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Adds the all-day events of an iCalendar file as holidays, from today for three years. An event that repeats every year on the same day becomes a yearly holiday. Events with a time of day and cancelled events are skipped. */
  importHolidays: {
    method: 'POST';
    params: {
      /** ID of the calendar. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: HolidayImport;
    output: HolidayImportResult;
  };
  /** Lists schedules that match all filters. Deleted schedules are not included. */
  listSchedules: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Return only schedules with all of these people in their layers. */
      people?: string | undefined;
      /** Return only schedules created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only schedules created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only schedules updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only schedules updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only schedules that contain all of these words in name, description or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: SchedulePage;
  };
  /** Creates an on-call schedule. People who are not in the directory return 400; `errors` lists all of them. */
  createSchedule: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: ScheduleCreation;
    output: Schedule;
  };
  /** Returns a schedule. Managers can get a deleted schedule with `include_deleted`. */
  getSchedule: {
    method: 'GET';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    query: {
      /** Whether to include a deleted schedule. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: Schedule;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. `layers` replaces all layers. Overrides are not changed. */
  updateSchedule: {
    method: 'PATCH';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: SchedulePatch;
    output: Schedule;
  };
  /** Deletes a schedule and revokes its calendar feed. A schedule that an escalation policy uses returns 409 `in_use`; `used_by` names the policies. */
  deleteSchedule: {
    method: 'DELETE';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of a schedule, oldest first. */
  listScheduleHistory: {
    method: 'GET';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted schedule. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Returns who is on call in a period: the final shifts in order, without holes. Neighbouring shifts of the same person and source are one shift. A period without a person is a shift with the source `gap`. */
  getShifts: {
    method: 'GET';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    query: {
      /** Start of the period. */
      from: TimeOrDate;
      /** End of the period, at most 92 days after `from`. */
      to: TimeOrDate;
    };
    output: ShiftList;
  };
  /** Returns the person on call in each schedule, by name of the schedule. Reads the first 200 schedules. */
  getOnCall: {
    method: 'GET';
    query: {
      /** The time. The default is now. */
      at?: TimeOrDate | undefined;
    };
    output: OnCallList;
  };
  /** Returns the overrides that end after `from`, by start. */
  getOverrides: {
    method: 'GET';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    query: {
      /** Return only overrides that end after this time. The default is now. */
      from?: TimeOrDate | undefined;
    };
    output: OverrideList;
  };
  /** Makes a person on call for a period, whatever the layers say. Of overlapping overrides, the newest one applies. Agents can take periods themselves; an override for somebody else requires the role `itsm_manager`. Repeating a request returns the override that exists. A schedule has at most 200 overrides that have not ended. */
  createOverride: {
    method: 'POST';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    body: OverrideCreation;
    output: Override;
  };
  /** Deletes an override. Agents can delete those that they created or that make them on call; others require the role `itsm_manager`. The history of the schedule shows the deleted override. */
  deleteOverride: {
    method: 'DELETE';
    params: {
      /** ID of the schedule. */
      id: string;
      /** ID of the override. */
      override_id: string;
    };
    output: undefined;
  };
  /** Creates two overrides at once: each person takes the period of the other. Each person must be on call during the whole own period. Agents can swap their own shifts; other swaps require the role `itsm_manager`. Repeating a request returns the overrides that exist. */
  swapShifts: {
    method: 'POST';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    body: ShiftSwap;
    output: SwapResult;
  };
  /** Creates a secret address under which calendar applications find the shifts of the schedule. Only this response contains the key. An earlier key of the schedule becomes invalid. */
  createCalendarKey: {
    method: 'POST';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    output: CalendarKey;
  };
  /** Revokes the key, so that calendar applications no longer get the shifts. */
  deleteCalendarKey: {
    method: 'DELETE';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    output: undefined;
  };
  /** Returns the shifts of the last 30 and the next 92 days as iCalendar (RFC 5545), for calendar applications. The key replaces the access token. A wrong key returns 404. */
  getCalendar: {
    method: 'GET';
    params: {
      /** ID of the schedule. */
      id: string;
    };
    query: {
      /** Key of the feed. */
      key: string;
      /** Return only the shifts of this person. */
      person?: string | undefined;
    };
    output: string;
  };
  /** Lists escalation policies that match all filters. Deleted escalation policies are not included. */
  listEscalationPolicies: {
    method: 'GET';
    query: {
      /** Filter by ID, comma-separated. Unknown IDs are ignored. */
      id?: string | readonly (string)[] | undefined;
      /** Return only escalation policies created after this time (exclusive). */
      created_after?: TimeOrDate | undefined;
      /** Return only escalation policies created before this time (exclusive). */
      created_before?: TimeOrDate | undefined;
      /** Return only escalation policies updated after this time (exclusive). */
      updated_after?: TimeOrDate | undefined;
      /** Return only escalation policies updated before this time (exclusive). */
      updated_before?: TimeOrDate | undefined;
      /** Return only escalation policies that contain all of these words in name, description or id, ignoring case and accents. */
      q?: string | undefined;
      /** Sort field; ties are sorted by ID. */
      sort?: 'created_at' | 'updated_at' | undefined;
      /** Sort order. */
      order?: 'asc' | 'desc' | undefined;
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** Page number, starting at 1. Cannot be combined with `cursor`. */
      page?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
    };
    output: EscalationPolicyPage;
  };
  /** Creates an escalation policy. Unknown people, deleted or unknown schedules and groups without members return 400; `errors` lists all of them. */
  createEscalationPolicy: {
    method: 'POST';
    options: {
      /** Makes retries safe: within 24 hours, a request with the same key returns the first response. */
      idempotencyKey?: string | undefined;
    };
    body: EscalationPolicyCreation;
    output: EscalationPolicy;
  };
  /** Returns an escalation policy. Managers can get a deleted escalation policy with `include_deleted`. */
  getEscalationPolicy: {
    method: 'GET';
    params: {
      /** ID of the escalation policy. */
      id: string;
    };
    query: {
      /** Whether to include a deleted escalation policy. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    options: {
      /** Returns 304 without a body if the record has this ETag. */
      ifNoneMatch?: string | undefined;
    };
    output: EscalationPolicy;
    notModified: true;
  };
  /** Applies a JSON merge patch: absent fields are not changed, even by concurrent updates. `steps` replaces all steps. Unknown people, deleted or unknown schedules and groups without members return 400; `errors` lists all of them. */
  updateEscalationPolicy: {
    method: 'PATCH';
    params: {
      /** ID of the escalation policy. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    body: EscalationPolicyPatch;
    output: EscalationPolicy;
  };
  /** Deletes an escalation policy. A policy that a group uses returns 409 `in_use`; `used_by` names the groups. */
  deleteEscalationPolicy: {
    method: 'DELETE';
    params: {
      /** ID of the escalation policy. */
      id: string;
    };
    options: {
      /** Performs the request only if the record has this ETag; otherwise returns 412. */
      ifMatch?: string | undefined;
    };
    output: undefined;
  };
  /** Lists all changes of an escalation policy, oldest first. */
  listEscalationPolicyHistory: {
    method: 'GET';
    params: {
      /** ID of the escalation policy. */
      id: string;
    };
    query: {
      /** Maximum number of records per page. */
      limit?: number | undefined;
      /** `next_cursor` of the previous page. Use the same filters, sort and order. */
      cursor?: string | undefined;
      /** Whether to include a deleted escalation policy. Requires the role `itsm_manager`. */
      include_deleted?: boolean | undefined;
    };
    output: HistoryPage;
  };
  /** Returns the settings of all groups that have settings, by name. */
  getAllGroupPaging: {
    method: 'GET';
    output: GroupPagingList;
  };
  /** Returns the settings of an assignment group. A group without settings pages nobody. */
  getGroupPaging: {
    method: 'GET';
    params: {
      /** Name of the assignment group. */
      name: string;
    };
    output: GroupPaging;
  };
  /** Sets the policy that pages for incidents of an assignment group, and the priorities that page. A null policy stops paging. The name need not be in the directory: then the response has `X-Warnings`. */
  putGroupPaging: {
    method: 'PUT';
    params: {
      /** Name of the assignment group. */
      name: string;
    };
    body: GroupPagingUpdate;
    output: GroupPaging;
  };
}
