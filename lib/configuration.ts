import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseSingleSignOn, type SingleSignOn } from '../contract/single-sign-on.ts';
import { type Environment, environments } from './environments.ts';
import { findGeography, type Geography, geographyNames, getLanguageModels, hasModels } from './language-models.ts';

// The options of a deployment, which override lib/environments.ts. They come from the CDK context: `-c name=value` on the
// command line or "context" in cdk.json. A wrong value ends the synthesis with one sentence per problem.

type Names = readonly [string, ...string[]];

const environmentNames = ['local', 'dev', 'prod'] as const satisfies (keyof typeof environments)[];
const reservedHosts = /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|localhost|local|test)$/;
const wordsOfAmazon = /aws|amazon|cognito/;

const oneOf = <const T extends Names>(values: T) =>
  z.enum(values, { error: ({ input }) => `must be one of ${values.join(', ')}, not "${input}"` });

const flag = oneOf(['true', 'false']).transform((value) => value === 'true');

const hostName = z
  .string()
  .regex(/^(?=.{4,200}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
    error: ({ input }) => `must be a host name in lower case such as incidents.acme.org, not "${input}"`,
  })
  .refine((value) => !reservedHosts.test(value), { error: 'must be a host name that exists, not a reserved one' });

/** Comma-separated. `*` is not possible: every page could then use a token that it gets hold of. */
const originList = z
  .string()
  .transform((text) => text.split(','))
  .refine((origins) => origins.every(isWebOrigin), {
    error: 'must be origins such as https://portal.acme.org or http://localhost:5173, separated by commas',
  });

const emailAddress = z
  .email({ error: ({ input }) => `must be an e-mail address, not "${input}"` })
  .refine((value) => !reservedHosts.test(value.slice(value.indexOf('@') + 1)), {
    error: 'must be an address that receives e-mail, not one of a reserved host',
  });

/** Part of the names of functions (at most 64 characters) and of the host name of the hosted login. */
const instanceName = z
  .string()
  .regex(/^[a-z](?:-?[a-z0-9]){0,19}$/, {
    error: ({ input }) => `must be 1 to 20 lower-case letters, digits and single hyphens, not "${input}"`,
  })
  .refine((value) => !wordsOfAmazon.test(value), { error: 'must not contain aws, amazon or cognito' });

const options = {
  env: oneOf(environmentNames).default('dev'),
  /** Names this deployment among others of the same account. */
  instance: instanceName.optional(),
  domain: hostName.optional(),
  certificate: z
    .string()
    .regex(/^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/, {
      error: ({ input }) => `must be the ARN of a certificate in us-east-1, where CloudFront reads it, not "${input}"`,
    })
    .optional(),
  /** The first part of the hosted login's host name. */
  loginPrefix: z
    .string()
    .regex(/^[a-z0-9](?:-?[a-z0-9]){0,62}$/, {
      error: ({ input }) => `must be 1 to 63 lower-case letters, digits and single hyphens, not "${input}"`,
    })
    .refine((value) => !wordsOfAmazon.test(value), { error: 'must not contain aws, amazon or cognito' })
    .optional(),
  corsOrigins: originList.optional(),
  unknownPeople: oneOf(['refused', 'allowed']).optional(),
  adminEmail: emailAddress.optional(),
  alarmEmail: emailAddress.optional(),
  notificationEmail: emailAddress.optional(),
  /** Whether people rely on pages, which then need e-mail. */
  paging: oneOf(['on', 'off']).optional(),
  mailSender: emailAddress.optional(),
  /** The domain or address that is verified in SES. */
  mailIdentity: z.union([hostName, emailAddress], { error: 'must be a domain or an address of SES' }).optional(),
  /** In US dollars. */
  smsMonthlyLimit: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: ({ input }) => `must be whole US dollars from 1 to 999999, not "${input}"` })
    .transform(Number)
    .optional(),
  /** In another account, which must accept copies from this one. */
  backupVault: z
    .string()
    .regex(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/, {
      error: ({ input }) => `must be the ARN of a backup vault, not "${input}"`,
    })
    .optional(),
  /** The role of a malware scanner, which tags clean files. */
  attachmentScan: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,200}$/, {
      error: ({ input }) => `must be the ARN of a role, not "${input}"`,
    })
    .optional(),
  ignoreAlarms: flag.optional(),
  mfa: oneOf(['optional', 'required']).optional(),
  threatProtection: flag.optional(),
  waf: flag.optional(),
  deletionProtection: flag.optional(),
  concurrency: z
    .string()
    .regex(/^[1-9]\d{1,5}$/, { error: ({ input }) => `must be a number from 10 to 999999, not "${input}"` })
    .transform(Number)
    .optional(),
  models: oneOf(geographyNames).optional(),
  /** Lists and statistics come from an OpenSearch domain instead of the memory of the functions. */
  search: oneOf(['opensearch']).optional(),
  // The company's identity provider: contract/single-sign-on.ts checks these options.
  oidcIssuer: z.string().optional(),
  oidcClientId: z.string().optional(),
  oidcScopes: z.string().optional(),
  samlMetadata: z.string().optional(),
  ssoName: z.string().optional(),
  roleMapping: z.string().optional(),
  unmappedPeople: z.string().optional(),
  localPasswords: z.string().optional(),
};

const schema = z.object(options).superRefine((values, { addIssue }) => {
  const reject = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
  if (values.domain && !values.certificate) reject('domain', 'needs -c certificate=<ARN> for the same host name');
  if (values.certificate && !values.domain) reject('certificate', 'needs -c domain=<host name>');
  const { instance, env } = values;
  if (env === 'prod' && !values.alarmEmail)
    reject('alarmEmail', 'is required with env=prod: without an address, nobody learns of an outage');
  const { paging, mailSender, mailIdentity } = values;
  if (paging === 'on' && !mailSender)
    reject('paging', 'needs -c mailSender=<address> and -c mailIdentity=<domain of SES>: pages are sent by e-mail');
  if (mailSender && !mailIdentity) reject('mailSender', 'needs -c mailIdentity=<its domain or address in SES>');
  if (mailIdentity && !mailSender) reject('mailIdentity', 'needs -c mailSender=<address>');
  if (mailSender && mailIdentity && !matchesIdentity(mailSender, mailIdentity))
    reject('mailSender', `must be an address of ${mailIdentity}, which SES has verified`);
  if (instance && instance !== env && instance in environments)
    reject('instance', `must not be "${instance}", which is the name of another environment`);
  for (const { option, message } of readSingleSignOn(values).problems) reject(option, message);
  if (/^http:/.test(values.oidcIssuer ?? '')) reject('oidcIssuer', 'must be an https address, which Cognito can reach');
  const given = Object.entries(values).filter(([name, value]) => name !== 'env' && value !== undefined);
  if (env === 'local') for (const [name] of given) reject(name, 'has no effect with env=local');
});

export class WrongConfiguration extends Error {}

/**
 * The environment that the context names, with the context's options applied. The region is known when the CDK's command
 * line runs the synthesis.
 */
export function readConfiguration(context: Readonly<Record<string, unknown>>, region?: string): Environment {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([name]) => isOption(name))
      // The mapping of roles may be an object in cdk.json.
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(options, name));
  const { data, error } = schema.safeParse(given);
  const sentences = [
    ...unknown.map((name) => `There is no option ${name}; the options are ${Object.keys(options).join(', ')}.`),
    ...(error?.issues ?? []).map(({ path, message }) => `The option ${path.join('.')} ${message}.`),
  ];
  if (!data || sentences.length > 0) throw new WrongConfiguration(sentences.join('\n'));
  if (region === undefined || data.env === 'local') return applyOptions(environments[data.env], data);
  return applyOptions(environments[data.env], { ...data, models: chooseGeography(region, data.models) });
}

/** Whether prompts may leave a geography is for people to decide, so `global` is never a default. */
function chooseGeography(region: string, wanted = findGeography(region)): Geography {
  if (wanted && hasModels(wanted, region)) return wanted;
  const offered = geographyNames.filter((name) => hasModels(name, region));
  throw new WrongConfiguration(
    offered.length === 0
      ? `Bedrock does not offer the models of lib/language-models.ts in ${region}; deploy to another region.`
      : `The option models must be ${offered.join(' or ')} in ${region}; with global, prompts are processed in any commercial region.`,
  );
}

type SingleSignOnValues = Parameters<typeof parseSingleSignOn>[0];

function readSingleSignOn(values: { [Name in keyof SingleSignOnValues]?: string | undefined }) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return parseSingleSignOn(Object.fromEntries(given), (option) => `-c ${option}=…`);
}

/** Cognito takes the text of a metadata file. */
function readMetadata(settings: SingleSignOn): SingleSignOn {
  const { provider } = settings;
  if (provider.type === 'OIDC' || /^https:/.test(provider.metadata)) return settings;
  try {
    return { ...settings, provider: { type: 'SAML', metadata: readFileSync(provider.metadata, 'utf8') } };
  } catch (error) {
    throw new WrongConfiguration(`The option samlMetadata names a file that cannot be read: ${String(error)}.`);
  }
}

function matchesIdentity(sender: string, identity: string): boolean {
  const domain = sender.slice(sender.indexOf('@') + 1).toLowerCase();
  return sender === identity || domain === identity || domain.endsWith(`.${identity}`);
}

/** Pages of a developer's machine may come without TLS. */
function isWebOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.origin === text && (url.protocol === 'https:' || /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(text));
}

/** The CDK's own names contain a colon, a slash or a hyphen. */
function isOption(name: string): boolean {
  return /^[a-zA-Z]\w*$/.test(name);
}

function applyOptions(defaults: Environment, values: z.output<typeof schema>): Environment {
  const { domain, certificate, adminEmail, alarmEmail, notificationEmail, backupVault, loginPrefix } = values;
  const { settings: singleSignOn } = readSingleSignOn(values);
  return {
    ...defaults,
    serviceInstance: values.instance ?? defaults.serviceInstance,
    ...(domain && certificate && { domain: { name: domain, certificateArn: certificate } }),
    ...(loginPrefix && { loginPrefix }),
    ...(values.corsOrigins && { corsOrigins: values.corsOrigins }),
    ...(values.unknownPeople && { unknownPeople: values.unknownPeople }),
    ...(adminEmail && { adminEmail }),
    ...(alarmEmail && { alarmEmail }),
    ...(notificationEmail && { notificationEmail }),
    ...(backupVault && { backupVault }),
    ...(values.attachmentScan && { attachmentScan: values.attachmentScan }),
    ...(values.ignoreAlarms && { ignoreAlarms: true }),
    mfa: values.mfa ?? defaults.mfa,
    threatProtection: values.threatProtection ?? defaults.threatProtection,
    waf: values.waf ?? defaults.waf,
    deletionProtection: values.deletionProtection ?? defaults.deletionProtection,
    accountConcurrency: values.concurrency ?? defaults.accountConcurrency,
    ...(values.mailSender &&
      values.mailIdentity && { mail: { sender: values.mailSender, identity: values.mailIdentity } }),
    ...(values.smsMonthlyLimit && { textMessages: { monthlyLimitUsd: values.smsMonthlyLimit } }),
    ...(values.search && { search: values.search }),
    ...(singleSignOn && { singleSignOn: readMetadata(singleSignOn) }),
    ...(values.models && { models: getLanguageModels(values.models) }),
  };
}
