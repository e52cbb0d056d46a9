import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Identity } from './identity.ts';
import type { Secrets } from './secrets.ts';
import { federationFunction, type SingleSignOnValues } from './single-sign-on.ts';

/** Begins the ids of sealed access tokens. */
const sessionIdPrefix = 'sso_';

export interface FederationProps {
  functions: Functions;
  identity: Identity;
  eventLog: EventLog;
  secrets: Secrets;
  singleSignOn: SingleSignOnValues;
}

/** Admits people of the identity provider, keeps their roles current, and writes both to the audit log. */
export class Federation extends Construct {
  readonly admit: ServiceFunction;

  constructor(scope: Construct, id: string, props: FederationProps) {
    super(scope, id);
    const { functions, identity, eventLog, secrets, singleSignOn } = props;
    this.admit = functions.create({
      name: federationFunction,
      capability: 'identity',
      description: 'Admits people of the identity provider and gives them the roles of their groups.',
      // Cognito waits no longer.
      timeoutSeconds: 5,
    });
    identity.grantFederate(this.admit);
    eventLog.grantKeepSessions(this.admit);
    secrets.grantSeal(this.admit, sessionIdPrefix);
    secrets.grantOpen(this.admit, sessionIdPrefix);
    const { name, issuer, roleMapping, unmappedPeople } = singleSignOn;
    const variables = {
      SSO_NAME: name,
      OIDC_ISSUER: issuer,
      ROLE_MAPPING: roleMapping,
      UNMAPPED_PEOPLE: unmappedPeople,
    };
    for (const [variable, value] of Object.entries(variables)) this.admit.lambda.addEnvironment(variable, value);
    const principal = new ServicePrincipal('cognito-idp.amazonaws.com');
    this.admit.lambda.addPermission('SignIns', { principal, sourceArn: identity.directory.userPool.userPoolArn });
  }
}
