// AWS errors in the form of each protocol, so that every client can parse them.
import { randomUUID } from 'node:crypto';
import type { AwsError } from './error.ts';
import { formatXml, type XmlElement } from './xml.ts';

export interface AwsHttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Services without a JSON protocol name the same errors differently. */
const queryCodes: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  InternalServerError: 'InternalFailure',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  UnknownOperationException: 'InvalidAction',
  UnrecognizedClientException: 'InvalidClientTokenId',
};
const s3Codes: Readonly<Record<string, string>> = {
  AccessDeniedException: 'AccessDenied',
  InternalServerError: 'InternalError',
  MissingAuthenticationTokenException: 'AccessDenied',
  UnrecognizedClientException: 'InvalidAccessKeyId',
};

export function toJsonError(error: AwsError, contentType: string, prefix = ''): AwsHttpResponse {
  return {
    status: error.status,
    headers: { 'content-type': contentType, 'x-amzn-errortype': error.code, ...error.headers },
    body: JSON.stringify({ __type: `${prefix}${error.code}`, message: error.message, ...error.fields }),
  };
}

/** The query protocol, and services with REST and XML such as CloudFront. */
export function toQueryError(error: AwsError, codes: Readonly<Record<string, string>> = {}): AwsHttpResponse {
  const Type = error.status < 500 ? 'Sender' : 'Receiver';
  const Code = codes[error.code] ?? queryCodes[error.code] ?? error.code;
  const content = formatXml({ Error: { Type, Code, Message: error.message }, RequestId: randomUUID() });
  return toXmlError(error, `<ErrorResponse>${content}</ErrorResponse>`);
}

export function toS3Error(error: AwsError, method: string | undefined): AwsHttpResponse {
  const Code = s3Codes[error.code] ?? error.code;
  const content = { Code, Message: error.message, ...(error.fields as XmlElement), RequestId: randomUUID() };
  return toXmlError(error, method === 'HEAD' ? '' : `<Error>${formatXml(content)}</Error>`);
}

function toEc2Error(error: AwsError): AwsHttpResponse {
  const Errors = { Error: { Code: queryCodes[error.code] ?? error.code, Message: error.message } };
  return toXmlError(error, `<Response>${formatXml({ Errors, RequestID: randomUUID() })}</Response>`);
}

const xmlServices = new Set(['cloudfront', 'route53']);

/** For errors that no service could format: chooses the protocol from the request. */
export function toErrorResponse(
  error: AwsError,
  request: { method?: string; headers: Record<string, string | undefined> },
  service: string | undefined,
): AwsHttpResponse {
  if (service === 's3') return toS3Error(error, request.method);
  if (service === 'ec2') return toEc2Error(error);
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  if (isForm || xmlServices.has(service ?? '')) return toQueryError(error);
  return toJsonError(error, 'application/x-amz-json-1.0');
}

function toXmlError({ code, status, headers }: AwsError, body: string): AwsHttpResponse {
  return {
    // Denied access is 400 in JSON protocols, 403 elsewhere.
    status: code === 'AccessDeniedException' ? 403 : status,
    headers: { 'content-type': 'text/xml', ...headers },
    body: body && `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  };
}
