import { parsePresigned, verifyPresigned } from '../../../../local/aws/presigned.ts';

// The example of the S3 API reference, "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
const query = new URLSearchParams({
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
  'X-Amz-Date': '20130524T000000Z',
  'X-Amz-Expires': '86400',
  'X-Amz-SignedHeaders': 'host',
  'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
});
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const request = { method: 'GET', path: '/test.txt', query, headers: { host: 'examplebucket.s3.amazonaws.com' } };
const expiresMs = Date.UTC(2013, 4, 25);

const verify = (more: object = {}, nowMs = expiresMs - 1, key = secret) =>
  verifyPresigned(key, parsePresigned(query)!, { ...request, ...more }, nowMs);

it('accepts the example of AWS', () => {
  expect(verify).not.toThrow();
});

it.each<[string, () => void]>([
  ['another secret', () => verify({}, undefined, 'another')],
  ['another method', () => verify({ method: 'PUT' })],
  ['another object', () => verify({ path: '/test.txt2' })],
  ['another bucket', () => verify({ headers: { host: 'other.s3.amazonaws.com' } })],
  ['a parameter that is not signed', () => verify({ query: new URLSearchParams([...query, ['versionId', '1']]) })],
  ['a header that is not signed', () => verify({ headers: { ...request.headers, 'x-amz-acl': 'public-read' } })],
  ['the time of its expiry', () => verify({}, expiresMs)],
])('rejects the example with %s', (_name, attempt) => {
  expect(attempt).toThrow();
});
