import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  Distribution,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  Signing,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { stageName } from '../contract/http.ts';
import { type Environment, toInstanceName } from './environments.ts';
import { originHeaders } from './web-acl.ts';

// One origin for browsers and programs: CloudFront serves the console from a bucket and passes API requests to the gateway.
// It refers to nothing but the gateway's id, so that functions and the user pool can refer to its host name.

export interface WebHostingProps {
  environment: Environment;
  /** The gateway's own host name. */
  apiHost: string;
  /** Where people sign in; the console calls it. */
  authUrl: string;
  /** Where the console uploads files of notes. */
  filesUrl: string;
  /** With a web ACL: the secret that shows it which requests came through here. */
  originSecret?: string;
}

/** Requests for pages of the console get index.html. Files have an extension; page URLs do not. */
const routeToPage = `function handler(event) {
  var request = event.request;
  if (request.uri === '/' || request.uri === '/console') {
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: '/console/' } } };
  }
  var name = request.uri.slice(request.uri.lastIndexOf('/') + 1);
  if (request.uri.indexOf('/console/') === 0 && name.indexOf('.') < 0) request.uri = '/console/index.html';
  return request;
}
`;

/** The web ACL limits callers by this header. A value that a caller sends is overwritten. */
const setViewerAddress = `function handler(event) {
  event.request.headers['${originHeaders.viewerAddress}'] = { value: event.viewer.ip };
  return event.request;
}
`;

/** CloudFront would cache these for ten seconds, without regard to the caller's token. */
const errorStatuses = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

export class WebHosting extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: WebHostingProps) {
    super(scope, id);
    this.bucket = this.createBucket();
    this.distribution = this.createDistribution(props);
  }

  private createBucket(): Bucket {
    const bucket = new Bucket(this, 'ConsoleBucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // Each deployment writes all of its files, so there is nothing to retain.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It contains the public files of the console, which only CloudFront reads.',
    });
    return bucket;
  }

  private createDistribution(props: WebHostingProps): Distribution {
    const { domain } = props.environment;
    const files = this.filesBehavior(props);
    const distribution = new Distribution(this, 'Distribution', {
      comment: toInstanceName(props.environment),
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      defaultBehavior: files,
      additionalBehaviors: { '/console/*': files, [`/${stageName}/*`]: this.apiBehavior(props) },
      errorResponses: errorStatuses.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    acknowledge(distribution);
    return distribution;
  }

  private filesBehavior({ environment, authUrl, filesUrl }: WebHostingProps): BehaviorOptions {
    const origin = S3BucketOrigin.withOriginAccessControl(this.bucket as IBucket, {
      originAccessControl: new S3OriginAccessControl(this, 'OriginAccessControl', {
        originAccessControlName: this.nameGlobally(environment, 'console'),
        signing: Signing.SIGV4_ALWAYS,
      }),
      // Without LIST, a missing file is 403 and not 404.
      originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
    });
    return {
      origin,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [this.createFunction(environment, 'RouteToPage', 'route-to-page', routeToPage)],
      responseHeadersPolicy: this.securityHeaders(this.nameGlobally(environment, 'console'), [authUrl, filesUrl]),
    };
  }

  /** Everything reaches the gateway as it came, except the host name, by which the gateway finds its API. */
  private apiBehavior({ environment, apiHost, originSecret }: WebHostingProps): BehaviorOptions {
    const origin: IOrigin = new HttpOrigin(apiHost, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // The gateway responds within 29 seconds.
      readTimeout: Duration.seconds(30),
      ...(originSecret && { customHeaders: { [originHeaders.secret]: originSecret } }),
    });
    return {
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // Compression would change the ETags that callers send in If-Match.
      compress: false,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      ...(originSecret && {
        functionAssociations: [
          this.createFunction(environment, 'SetViewerAddress', 'set-viewer-address', setViewerAddress),
        ],
      }),
    };
  }

  private createFunction(environment: Environment, id: string, name: string, code: string): FunctionAssociation {
    const created = new CloudFrontFunction(this, id, {
      functionName: this.nameGlobally(environment, name),
      code: FunctionCode.fromInline(code),
      runtime: FunctionRuntime.JS_2_0,
    });
    return { function: created, eventType: FunctionEventType.VIEWER_REQUEST };
  }

  /** Names of CloudFront's resources are global in an account, so they contain the region. */
  private nameGlobally(environment: Environment, name: string): string {
    return `${toInstanceName(environment)}-${Stack.of(this).region}-${name}`;
  }

  private securityHeaders(name: string, calledUrls: readonly string[]): ResponseHeadersPolicy {
    const override = true;
    return new ResponseHeadersPolicy(this, 'SecurityHeaders', {
      responseHeadersPolicyName: name,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: buildContentSecurityPolicy(calledUrls), override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=()', override },
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override },
        ],
      },
    });
  }
}

/** Components set styles on elements, hence 'unsafe-inline' for styles; scripts come from files only. */
function buildContentSecurityPolicy(calledUrls: readonly string[]): string {
  const directives = {
    'default-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'connect-src': `'self' ${calledUrls.join(' ')}`,
    'img-src': "'self' data:",
    'font-src': "'self' data:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ');
}

function acknowledge(distribution: Distribution): void {
  const reasons = {
    'AwsSolutions-CFR1': 'An incident can be reported from any country.',
    'AwsSolutions-CFR2': 'The option waf puts a web ACL in front of the gateway; the console is public files.',
    'AwsSolutions-CFR3': 'The gateway logs every API request; the console is public files.',
    'AwsSolutions-CFR4':
      'CloudFront chooses the TLS versions of its own host name; a deployment with a domain has TLS 1.2.',
  };
  for (const [id, reason] of Object.entries(reasons)) Validations.of(distribution).acknowledge({ id, reason });
}
