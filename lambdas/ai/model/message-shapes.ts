/** Messages have the form of Bedrock's Converse everywhere, so that nothing is translated. */
export type { ContentBlock, Message, ToolUseBlock } from '@aws-sdk/client-bedrock-runtime';
