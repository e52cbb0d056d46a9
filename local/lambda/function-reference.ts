// The many ways AWS names a function: name, partial and full ARN, each with or without a version or alias, and the path
// in an API Gateway integration's address.

export interface FunctionReference {
  name: string;
  qualifier: string | undefined;
}

const form =
  /^(?:arn:[\w-]+:lambda:[\w-]+:\d{12}:function:|\d{12}:function:|function:)?([A-Za-z0-9_-]{1,140})(?::(\$LATEST|[A-Za-z0-9_-]+))?$/;

export function parseFunctionReference(text: string): FunctionReference | undefined {
  const inIntegration = /\/functions\/(.+)\/invocations$/.exec(text)?.[1];
  const match = form.exec(inIntegration ?? text);
  return match ? { name: match[1]!, qualifier: match[2] } : undefined;
}
