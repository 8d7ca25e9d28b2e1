import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';

/** A client of the newest version of the protocol, or one that only knows 2025-11-25. */
export type Protocol = '2026-07-28' | '2025-11-25';

export interface AgentOptions {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer of the person to a question. Without it, the client cannot ask. */
  readonly answer?: (message: string) => 'accept' | 'uncheck' | 'decline' | 'cancel';
}

export interface Agent {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Returns the text of a result. */
  say(name: string, args?: Record<string, unknown>): Promise<string>;
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

export const mcpUrl = (url: string): string => url.replace(/\/graphql$/, '/mcp');

/** Connects the official client to `/mcp`. */
async function connectAgent(url: string, options: AgentOptions = {}): Promise<Agent> {
  const { name = 'desktop', protocol = '2026-07-28', headers = {}, answer } = options;
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: protocol === '2026-07-28' ? { pin: protocol } : 'legacy' },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const action = answer(params.message);
      if (action === 'decline' || action === 'cancel') return { action };
      return { action: 'accept' as const, content: { spend: action === 'accept' } };
    });
  const sent = { authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl(url)), { requestInit: { headers: sent } }));
  const call = (tool: string, args: Record<string, unknown> = {}) => client.callTool({ name: tool, arguments: args });
  return { client, call, say: async (tool, args) => textOf(await call(tool, args)) };
}

export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

export const message = (name: string, args: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...more, _meta: envelope },
});

/** Sends a message to `/mcp` without the client, so that it may be one that no client sends. */
export const sendMessage = (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(mcpUrl(url), {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${SANDBOX_TOKEN}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });

/** Calls a tool without the client: `more` may have the answers of the person and the state of the question. */
// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
export async function callRaw(url: string, name: string, args: object, more = {}, headers = {}): Promise<any> {
  return (await sendMessage(url, message(name, args, more), { 'mcp-name': name, ...headers })).json();
}

/** The answer of a person who agrees to the price of a raw call. */
export const agreed = { spend: { action: 'accept', content: { spend: true } } };

/** Returns a function that connects agents, which are closed after each test. */
export function agentsForTests(padron: { readonly url: string }) {
  const opened: Agent[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ client }) => client.close())));
  return async (options: AgentOptions = {}, { url } = padron): Promise<Agent> => {
    const agent = await connectAgent(url, options);
    opened.push(agent);
    return agent;
  };
}
