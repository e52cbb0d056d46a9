import type { Credentials } from './credentials.ts';

export interface BannerFacts {
  version: string;
  seconds: number;
  credentials: Credentials;
  dataFolder: string;
  /** The language model behind Bedrock. */
  model: string;
}

export function banner({ version, seconds, credentials, dataFolder, model }: BannerFacts): string {
  const { base_url, auth_url, aws_endpoint_url, aws_access_key_id, clients, users } = credentials;
  const person = users.find(({ email }) => email.startsWith('agent'));
  return `
  Incident Service ${version}, ready in ${seconds.toFixed(1)} s

  API      ${base_url}/prod/api/v1
  Token    ${auth_url}/oauth2/token
  Console  ${base_url}/console/   sign in as ${person?.email} with ${person?.password}
  AWS      ${aws_endpoint_url}   access key ${aws_access_key_id}, region us-east-1; see credentials.json for the secret
  Model    ${model}
  Data     ${dataFolder}   credentials.json lists all demo clients and users

  Try it (as the agent client):

    ${curlLine(base_url, auth_url, clients.agent)}

  Press Ctrl-C to stop. Data is kept.
`;
}

function curlLine(baseUrl: string, authUrl: string, client: { client_id: string; client_secret: string }): string {
  const form = `-d grant_type=client_credentials -d client_id=${client.client_id} -d client_secret=${client.client_secret}`;
  const token = `$(curl -s ${authUrl}/oauth2/token ${form} | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;
  return `curl -s ${baseUrl}/prod/api/v1/health -H "Authorization: Bearer ${token}"`;
}
