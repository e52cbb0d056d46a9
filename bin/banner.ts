import type { Credentials } from './credentials.ts';

export interface BannerFacts {
  version: string;
  seconds: number;
  credentials: Credentials;
  dataFolder: string;
  /** The language model that answers for Bedrock. */
  model: string;
}

export function banner({ version, seconds, credentials, dataFolder, model }: BannerFacts): string {
  const { base_url, auth_url, aws_endpoint_url, aws_access_key_id, clients, users } = credentials;
  const person = users.find(({ email }) => email.startsWith('agent'))!;
  return `
  Incident service ${version}, ready after ${seconds.toFixed(1)} s

  API      ${base_url}/prod/api/v1
  Token    ${auth_url}/oauth2/token
  Console  ${base_url}/console/   sign in as ${person.email} with ${person.password}
  AWS      ${aws_endpoint_url}   access key ${aws_access_key_id}, region us-east-1; its secret is in credentials.json
  Model    ${model}
  Data     ${dataFolder}   credentials.json there lists every demo client and person

  Try it (the agent's client):

    ${curlLine(base_url, auth_url, clients.agent)}

  Ctrl-C stops it; nothing that was answered is lost.
`;
}

function curlLine(baseUrl: string, authUrl: string, client: { client_id: string; client_secret: string }): string {
  const form = `-d grant_type=client_credentials -d client_id=${client.client_id} -d client_secret=${client.client_secret}`;
  const token = `$(curl -s ${authUrl}/oauth2/token ${form} | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;
  return `curl -s ${baseUrl}/prod/api/v1/health -H "Authorization: Bearer ${token}"`;
}
