// AWS calls without the SDK: for measuring the server alone, and for calls that no SDK would make.
import { computeSignature } from '../../local/aws/signature.ts';
import type { Service } from './service.ts';

/** The headers of a POST to the AWS endpoint, signed. */
export function signAwsCall(
  { awsUrl, awsCredentials }: Pick<Service, 'awsUrl' | 'awsCredentials'>,
  signingName: string,
  target: string,
  body: string,
  path = '/',
): Record<string, string> {
  const { accessKeyId, secretAccessKey } = awsCredentials;
  const signedHeaders = ['host', 'x-amz-date', 'x-amz-target'];
  const scope = `20260101/us-east-1/${signingName}/aws4_request`;
  const headers = { 'x-amz-date': '20260101T000000Z', 'x-amz-target': target };
  const signature = computeSignature(
    secretAccessKey,
    { accessKeyId, scope, service: signingName, signedHeaders },
    {
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers: { ...headers, host: new URL(awsUrl).host },
      body,
    },
  );
  const credential = `Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders.join(';')}`;
  return { ...headers, authorization: `AWS4-HMAC-SHA256 ${credential}, Signature=${signature}` };
}
