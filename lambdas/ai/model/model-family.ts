// What the families of Bedrock's models accept in a Converse request. Newer models of Anthropic reject sampling parameters
// and a forced tool choice, and think before they answer. A model that is not known here gets the request that all accept.

export interface ModelFamily {
  hasTemperature: boolean;
  /** Without it, the system prompt asks for the tool. */
  canForceTool: boolean;
  /** Thoughts count as output tokens, so they need room next to the answer. */
  thinks: boolean;
  /** Whether the provider can keep the tools of a request for five minutes, at a tenth of the price of new tokens. */
  cachesTools: boolean;
  /** Answers only with passages of the material. */
  onlyQuotes: boolean;
}

const plain: ModelFamily = {
  hasTemperature: false,
  canForceTool: false,
  thinks: false,
  cachesTools: false,
  onlyQuotes: false,
};
const classic: ModelFamily = { ...plain, hasTemperature: true, canForceTool: true };

/** Takes the id or ARN of a model or an inference profile. */
export function findModelFamily(modelId: string): ModelFamily {
  if (/^local\.extractive/.test(modelId)) return { ...classic, onlyQuotes: true };
  if (/^local\.|\bamazon\.nova-|\banthropic\.claude-3-/.test(modelId)) return classic;
  const [, major, minor = '0'] = /\banthropic\.claude-[a-z]+-(\d)(?:-(\d)(?!\d))?/.exec(modelId) ?? [];
  if (!major) return plain;
  const version = Number(`${major}.${minor}`);
  if (version <= 4.6) return { ...classic, cachesTools: true };
  return { ...plain, canForceTool: version <= 5, thinks: true, cachesTools: true };
}
