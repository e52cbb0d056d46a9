// What moto and DynamoDB Local are known to do differently from AWS. Anything else fails the rehearsal.

/**
 * Resources that moto cannot create, by their names without the hash of the CDK. boto3 has validated their properties
 * before moto answers that it lacks the operation.
 */
export const knownGaps: Readonly<Record<string, RegExp>> = {
  // moto 5.2 has no CreateFunction and no CreateResponseHeadersPolicy of CloudFront.
  WebHostingRouteToPage: /\(404\) when calling the CreateFunction operation/,
  WebHostingSecurityHeaders: /\(404\) when calling the CreateResponseHeadersPolicy operation/,
  // moto 5.2 has X-Ray's traces, but no sampling rules.
  OperationsTraces: /CreateSamplingRule operation: Not yet implemented/,
};

/** Members of responses that moto omits and no function reads: the algorithm of KMS. */
export const membersWithoutMoto: ReadonlySet<string> = new Set(['EncryptionAlgorithm']);

/** Responses to AWS calls. */
export const knownDifferences: readonly { pattern: RegExp; reason: string }[] = [];
