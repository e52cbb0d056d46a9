/** An AWS error response: code, message, status and the service's extra body fields. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: string,
    message: string,
    more: { status?: number; fields?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? 400;
    this.fields = more.fields ?? {};
    this.headers = more.headers ?? {};
  }
}
