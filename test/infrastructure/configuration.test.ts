import { readConfiguration } from '../../lib/configuration.ts';
import { environments } from '../../lib/environments.ts';

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/6f0c1a52-8f1b-4d3e-9c57-2f6f8a9f0a11';

const backupVault = 'arn:aws:backup:eu-west-1:210987654321:backup-vault:incidents';

const attachmentScan = 'arn:aws:iam::123456789012:role/service-role/scan-files';

describe('readConfiguration', () => {
  it.each(['local', 'dev'] as const)('reads %s without any option', (env) => {
    expect(readConfiguration({ env })).toEqual(environments[env]);
  });

  it('requires an address for alarms in prod', () => {
    const sentence = 'The option alarmEmail is required with env=prod: without an address, nobody learns of an outage.';
    expect(() => readConfiguration({ env: 'prod' })).toThrow(sentence);
    const alarmEmail = 'ops@acme.org';
    expect(readConfiguration({ env: 'prod', alarmEmail })).toEqual({ ...environments.prod, alarmEmail });
  });

  it('reads dev by default and ignores the names of the CDK', () => {
    const context = { 'aws:cdk:enable-asset-metadata': true, '@aws-cdk/core:x': true, 'cdk-migrate': true };
    expect(readConfiguration(context)).toEqual(environments.dev);
  });

  it('applies every option', () => {
    const options = {
      env: 'prod',
      instance: 'team-a',
      domain: 'incidents.acme.org',
      certificate,
      loginPrefix: 'acme-incidents',
      corsOrigins: 'https://portal.acme.org,http://localhost:5173',
      adminEmail: 'ada@acme.org',
      alarmEmail: 'ops@acme.org',
      notificationEmail: 'desk@acme.org',
      backupVault,
      attachmentScan,
      ignoreAlarms: 'true',
      mfa: 'required',
      threatProtection: 'true',
      waf: true,
      concurrency: '3000',
      models: 'eu',
      paging: 'on',
      mailSender: 'incidents@mail.acme.org',
      mailIdentity: 'acme.org',
      smsMonthlyLimit: '50',
    };
    expect(readConfiguration(options)).toMatchObject({
      name: 'prod',
      serviceInstance: 'team-a',
      domain: { name: 'incidents.acme.org', certificateArn: certificate },
      corsOrigins: ['https://portal.acme.org', 'http://localhost:5173'],
      loginPrefix: 'acme-incidents',
      adminEmail: 'ada@acme.org',
      alarmEmail: 'ops@acme.org',
      notificationEmail: 'desk@acme.org',
      backupVault,
      attachmentScan,
      ignoreAlarms: true,
      mfa: 'required',
      threatProtection: true,
      waf: true,
      accountConcurrency: 3_000,
      mail: { sender: 'incidents@mail.acme.org', identity: 'acme.org' },
      textMessages: { monthlyLimitUsd: 50 },
      models: { 'model-3-haiku': { profile: { id: expect.stringMatching(/^eu\./) } } },
    });
  });

  it.each([
    [{ env: 'staging' }, 'The option env must be one of local, dev, prod, not "staging".'],
    [{ domian: 'a.org' }, /^There is no option domian; the options are env, instance, domain, /],
    [{ domain: 'incidents.acme.org' }, 'The option domain needs -c certificate=<ARN> for the same host name.'],
    [{ certificate }, 'The option certificate needs -c domain=<host name>.'],
    [
      { domain: 'https://acme.org/', certificate },
      'The option domain must be a host name in lower case such as incidents.acme.org, not "https://acme.org/".',
    ],
    [
      { domain: 'incidents.example.com', certificate },
      'The option domain must be a host name that exists, not a reserved one.',
    ],
    [
      { domain: 'acme.org', certificate: certificate.replace('us-east-1', 'eu-west-1') },
      /^The option certificate must be the ARN of a certificate in us-east-1, where CloudFront reads it, not "arn:/,
    ],
    [
      { instance: 'Team A' },
      'The option instance must be 1 to 20 lower-case letters, digits and single hyphens, not "Team A".',
    ],
    [{ instance: 'a'.repeat(21) }, /^The option instance must be 1 to 20 lower-case letters/],
    [{ instance: 'aws-team' }, 'The option instance must not contain aws, amazon or cognito.'],
    [{ instance: 'prod' }, 'The option instance must not be "prod", which is the name of another environment.'],
    [{ corsOrigins: '*' }, /^The option corsOrigins must be origins such as/],
    [{ corsOrigins: 'http://portal.acme.org' }, /^The option corsOrigins must be origins such as/],
    [{ corsOrigins: 'https://portal.acme.org/' }, /^The option corsOrigins must be origins such as/],
    [{ loginPrefix: 'cognito' }, 'The option loginPrefix must not contain aws, amazon or cognito.'],
    [{ loginPrefix: '-a' }, /^The option loginPrefix must be 1 to 63 lower-case letters, digits and single hyphens/],
    [{ adminEmail: 'ada' }, 'The option adminEmail must be an e-mail address, not "ada".'],
    [
      { paging: 'on' },
      /^The option paging needs -c mailSender=<address> and -c mailIdentity=<domain of SES>: pages are/,
    ],
    [{ mailSender: 'a@acme.org' }, /^The option mailSender needs -c mailIdentity/],
    [{ mailIdentity: 'acme.org' }, /^The option mailIdentity needs -c mailSender/],
    [
      { mailSender: 'a@evil-acme.org', mailIdentity: 'acme.org' },
      /^The option mailSender must be an address of acme.org/,
    ],
    [{ mailSender: 'a@acme.org', mailIdentity: 'x' }, /^The option mailIdentity must be a domain or an address of SES/],
    [{ smsMonthlyLimit: '0' }, /^The option smsMonthlyLimit must be whole US dollars from 1 to 999999/],
    [{ alarmEmail: 'ops@example.com' }, /^The option alarmEmail must be an address that receives e-mail/],
    [{ backupVault: 'incidents' }, 'The option backupVault must be the ARN of a backup vault, not "incidents".'],
    [{ attachmentScan: 'on' }, 'The option attachmentScan must be the ARN of a role, not "on".'],
    [{ env: 'local', ignoreAlarms: 'true' }, 'The option ignoreAlarms has no effect with env=local.'],
    [{ mfa: 'yes' }, 'The option mfa must be one of optional, required, not "yes".'],
    [{ waf: 'on' }, 'The option waf must be one of true, false, not "on".'],
    [{ threatProtection: '1' }, 'The option threatProtection must be one of true, false, not "1".'],
    [{ concurrency: '5' }, 'The option concurrency must be a number from 10 to 999999, not "5".'],
    [{ models: 'mars' }, 'The option models must be one of us, eu, global, not "mars".'],
    [{ env: 'local', waf: 'true' }, 'The option waf has no effect with env=local.'],
    [{ roleMapping: '{}' }, 'The option roleMapping needs -c oidcIssuer=… or -c samlMetadata=….'],
    [{ oidcIssuer: 'https://login.acme.org' }, 'The option oidcIssuer needs -c oidcClientId=….'],
    [{ oidcIssuer: 'http://localhost:1', oidcClientId: 'a' }, 'The option oidcIssuer must be an https address, which'],
    [{ oidcIssuer: 'login.acme.org', oidcClientId: 'a' }, /must be an address such as https:\/\/login\.acme\.org/],
    [{ oidcIssuer: 'https://a.org', oidcClientId: 'a', samlMetadata: 'https://a.org' }, /a company has one identity/],
    [{ oidcIssuer: 'https://a.org', oidcClientId: 'a', oidcScopes: 'email' }, /^The option oidcScopes must begin with/],
    [{ samlMetadata: 'http://a.org/metadata' }, 'The option samlMetadata must be an https address or a file'],
    [{ samlMetadata: 'missing.xml' }, 'The option samlMetadata names a file that cannot be read'],
    [{ samlMetadata: 'https://a.org', ssoName: 'a b' }, /^The option ssoName must be 3 to 32 letters/],
    [{ samlMetadata: 'https://a.org', ssoName: 'Cognito' }, /^The option ssoName must be 3 to 32 letters/],
    [{ samlMetadata: 'https://a.org', roleMapping: '[]' }, /^The option roleMapping must be JSON such as/],
    [
      { samlMetadata: 'https://a.org', roleMapping: { desk: 'boss' } },
      /gives the group "desk" the unknown role "boss"/,
    ],
    [{ samlMetadata: 'https://a.org', unmappedPeople: 'no' }, 'The option unmappedPeople must be viewer or rejected'],
  ])('rejects %j with one sentence', (context, sentence) => {
    expect(() => readConfiguration(context)).toThrow(sentence);
  });

  it('reads an identity provider, with viewer and shown passwords as defaults', () => {
    const options = {
      oidcIssuer: 'https://login.acme.org',
      oidcClientId: 'incidents',
      roleMapping: { desk: 'viewer' },
    };
    expect(readConfiguration(options).singleSignOn).toEqual({
      name: 'SSO',
      provider: {
        type: 'OIDC',
        issuer: 'https://login.acme.org',
        clientId: 'incidents',
        scopes: 'openid email profile',
      },
      roleMapping: { desk: 'viewer' },
      unmappedPeople: 'viewer',
      localPasswords: 'shown',
    });
  });

  const getProfile = (region: string, options: object = {}) =>
    readConfiguration({ env: 'prod', alarmEmail: 'ops@acme.org', ...options }, region).models['model-3-sonnet'].profile
      ?.id;

  it('uses the models of the geography in which the region is', () => {
    expect(getProfile('ca-central-1')).toMatch(/^us\./);
    expect(getProfile('eu-central-2')).toMatch(/^eu\./);
    expect(getProfile('eu-west-1', { models: 'global' })).toMatch(/^global\./);
    expect(getProfile('ap-southeast-7', { models: 'global' })).toMatch(/^global\./);
  });

  it.each([
    ['ap-northeast-1', {}, 'The option models must be global in ap-northeast-1; with global, prompts are processed in'],
    ['sa-east-1', { models: 'us' }, 'The option models must be global in sa-east-1'],
    ['us-east-1', { models: 'eu' }, 'The option models must be us or global in us-east-1'],
    ['cn-north-1', { models: 'global' }, 'Bedrock does not offer the models of lib/language-models.ts in cn-north-1'],
  ])('rejects models that cannot be used in %s with %j', (region, options, sentence) => {
    expect(() => getProfile(region, options)).toThrow(sentence);
  });

  it('ignores the region on one machine', () => {
    expect(readConfiguration({ env: 'local' }, 'cn-north-1')).toEqual(environments.local);
  });

  it('lists all problems', () => {
    const read = () => readConfiguration({ mfa: 'no', waf: 'no' });
    expect(read).toThrow(/^The option mfa .+\nThe option waf .+$/);
  });
});
