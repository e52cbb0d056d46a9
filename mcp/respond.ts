import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createClient } from '../client/index.ts';
import { createMcpServer, type McpMode } from './server.ts';

export interface McpRequest {
  /** The JSON-RPC message. */
  message: unknown;
  mode: McpMode;
  /** The caller's own access token or API key: tools are requests of the caller. */
  token: string;
  /** `MCP-Protocol-Version`, which clients send after the initialization. */
  protocolVersion: string | undefined;
  /** Headers for the requests of the tools. */
  headers: Readonly<Record<string, string>>;
}

export interface McpOptions {
  /** The address of the service. */
  baseUrl: string;
  version: string;
  timeoutMs: number;
}

/**
 * Answers one message of the streamable HTTP transport, without a session. A response with an error status is one that the
 * transport rejects. Retries are left to the caller, who knows the remaining time.
 */
export async function respondToMcp(
  { message, mode, token, protocolVersion, headers }: McpRequest,
  { baseUrl, version, timeoutMs }: McpOptions,
): Promise<{ status: number; body: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const client = createClient({
    baseUrl,
    credentials: { token: () => token },
    timeoutMs,
    retry: { retries: 0 },
    signal,
    headers,
  });
  const server = createMcpServer(client, version, mode);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    const response = await transport.handleRequest(
      new Request(baseUrl, {
        method: 'POST',
        headers: {
          // The response is JSON for every client.
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
        },
      }),
      { parsedBody: message },
    );
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  } finally {
    await server.close();
  }
}
