// The AWS managed policies that a template may name here, with what AWS puts in them. Any other one stops the start:
// its statements are not in the template, so nobody could say what it allows.

const logs = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];
const xray = [
  'xray:PutTraceSegments',
  'xray:PutTelemetryRecords',
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
  'xray:GetSamplingStatisticSummaries',
];

const onEverything: Record<string, readonly string[]> = {
  'service-role/AWSLambdaBasicExecutionRole': logs,
  'service-role/AWSLambdaSQSQueueExecutionRole': [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    ...logs,
  ],
  'service-role/AWSLambdaDynamoDBExecutionRole': [
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
    ...logs,
  ],
  'service-role/AWSLambdaRole': ['lambda:InvokeFunction'],
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:DescribeLogGroups',
    'logs:DescribeLogStreams',
    'logs:PutLogEvents',
    'logs:GetLogEvents',
    'logs:FilterLogEvents',
  ],
  AWSXRayDaemonWriteAccess: xray,
  AWSXrayWriteOnlyAccess: xray,
};

/** Documents of AWS managed policies by ARN. */
export const managedPolicies: ReadonlyMap<string, unknown> = new Map(
  Object.entries(onEverything).map(([name, actions]) => [
    `arn:aws:iam::aws:policy/${name}`,
    { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] },
  ]),
);
