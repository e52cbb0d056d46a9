"""Creates the synthesized templates in moto and prints, as JSON, what moto could not create.

    python create_stacks.py <template>...

A resource that moto cannot create gets a stand-in, so that the resources that refer to it are created too. The caller knows
the gaps of moto by name; any other failure is a fault of the template.
"""
import importlib
import io
import json
import os
import pkgutil
import sys
import zipfile
from pathlib import Path

region = "us-east-1"
os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION=region)
import boto3  # noqa: E402
import moto  # noqa: E402
from moto import mock_aws  # noqa: E402
from moto.cloudformation import parsing  # noqa: E402

# moto knows the types of the services that are loaded.
for service in pkgutil.iter_modules(moto.__path__):
    if service.ispkg and (Path(moto.__path__[0]) / service.name / "models.py").exists():
        importlib.import_module(f"moto.{service.name}.models")

outcomes = {}
create_resource = parsing.parse_and_create_resource
clean = parsing.clean_json


class StandIn:
    def __init__(self, name, kind, physical_id=None):
        self.name = self.logical_resource_id = name
        self.physical_resource_id = physical_id or name
        self.type = self.cf_resource_type = kind

    def is_created(self):
        return True

    def get_cfn_attribute(self, attribute):
        if attribute.endswith("Id"):
            return self.physical_resource_id
        service = self.type.split("::")[1].lower()
        is_arn = attribute.lower().endswith("arn")
        return f"arn:aws:{service}:{region}:123456789012:{self.name}" if is_arn else f"{self.name}-{attribute}"


def without(properties, *names):
    return {key: value for key, value in properties.items() if key not in names}


def to_input(shape, value, path=""):
    """Properties of CloudFormation as the input of the API: its spelling, its lists with a quantity, its JSON texts."""
    if shape.type_name == "structure":
        if "Quantity" in shape.members:
            value = {"Items": value} if isinstance(value, list) else value
            value = {"Quantity": len(value.get("Items", [])), **value}
        names = {member.lower(): member for member in shape.members}
        unknown = [key for key in value if key.lower() not in names]
        if unknown:
            raise ValueError(f"{shape.name} has no member {unknown} at {path}")
        members = {names[key.lower()]: each for key, each in value.items()}
        return {key: to_input(shape.members[key], each, f"{path}/{key}") for key, each in members.items()}
    if shape.type_name == "list":
        return [to_input(shape.member, each, path) for each in value]
    if shape.type_name == "map":
        return {key: to_input(shape.value, each, path) for key, each in value.items()}
    if shape.type_name == "string" and isinstance(value, dict):
        return json.dumps(value)
    return value


def call(service, operation, path=(), adapt=lambda name, given: given):
    """Creates a resource with the API. Unknown and wrongly typed properties are rejected; the path leads to the id."""

    def run(name, properties):
        client = boto3.client(service, region_name=region)
        shape = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation]).input_shape
        response = getattr(client, operation)(**to_input(shape, adapt(name, properties)))
        for step in path:
            response = response[step]
        return response if path else name

    return run


def set_queue_policy(name, properties):
    sqs = boto3.client("sqs", region_name=region)
    for url in properties["Queues"]:
        sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(properties["PolicyDocument"])})
    return name


def set_topic_policy(name, properties):
    sns = boto3.client("sns", region_name=region)
    for arn in properties["Topics"]:
        policy = json.dumps(properties["PolicyDocument"])
        sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=policy)
    return name


def to_distribution(name, given):
    config = {"CallerReference": name, **given["DistributionConfig"]}
    for origin in config["Origins"]:
        if "CustomOriginConfig" in origin:
            origin["CustomOriginConfig"] = {"HTTPPort": 80, "HTTPSPort": 443, **origin["CustomOriginConfig"]}
    return {"DistributionConfig": {"IsIPV6Enabled": config.pop("IPV6Enabled", True), **config}}


def to_stage(_name, given):
    """moto's Ref of a deployment is its object; the API sets logs and limits of a stage with patches."""
    return {**without(given, "AccessLogSetting", "MethodSettings"), "DeploymentId": given["DeploymentId"].id}


def to_user_pool_client(_name, given):
    """moto keeps the places of providers that the conditions of the template leave out."""
    providers = [each for each in given.get("SupportedIdentityProviders", []) if each is not None]
    return {**given, "SupportedIdentityProviders": providers}


def named(member, *dropped):
    """CloudFormation chooses a name; some properties have another form in the API or none."""
    return lambda name, given: {member: name, **without(given, *dropped)}


def drop(*names):
    return lambda _name, given: without(given, *names)


# Types that moto's CloudFormation does not know, but its services do. moto runs no functions, so the function behind a custom
# resource has to exist.
with_api = {
    "AWS::ApiGateway::Account": lambda name, given: call("apigateway", "update_account")(
        name, {"patchOperations": [{"op": "replace", "path": "/cloudwatchRoleArn", "value": given["CloudWatchRoleArn"]}]}
    ),
    "AWS::ApiGateway::ApiKey": call("apigateway", "create_api_key", ["id"], drop("Tags")),
    "AWS::ApiGateway::Stage": call("apigateway", "create_stage", ["stageName"], to_stage),
    "AWS::ApiGateway::UsagePlan": lambda name, given: call("apigateway", "create_usage_plan", ["id"])(
        name, {"name": given["UsagePlanName"], **without(given, "UsagePlanName", "Tags")}
    ),
    "AWS::ApiGateway::UsagePlanKey": call("apigateway", "create_usage_plan_key", ["id"]),
    "AWS::CloudFormation::CustomResource": call(
        "lambda", "get_function", [], lambda _name, given: {"FunctionName": given["ServiceToken"]}
    ),
    "AWS::CloudFront::Distribution": call("cloudfront", "create_distribution", ["Distribution", "Id"], to_distribution),
    "AWS::CloudFront::Function": call(
        "cloudfront", "create_function", ["FunctionSummary", "Name"], drop("AutoPublish", "FunctionMetadata")
    ),
    "AWS::CloudFront::OriginAccessControl": call("cloudfront", "create_origin_access_control", ["OriginAccessControl", "Id"]),
    "AWS::CloudFront::ResponseHeadersPolicy": call(
        "cloudfront", "create_response_headers_policy", ["ResponseHeadersPolicy", "Id"]
    ),
    "AWS::CloudWatch::Alarm": call("cloudwatch", "put_metric_alarm", [], named("AlarmName")),
    "AWS::CodeDeploy::Application": call("codedeploy", "create_application", [], named("ApplicationName")),
    "AWS::CodeDeploy::DeploymentGroup": call(
        "codedeploy", "create_deployment_group", ["deploymentGroupId"], named("DeploymentGroupName")
    ),
    "AWS::Cognito::UserPool": call(
        "cognito-idp", "create_user_pool", ["UserPool", "Id"], named("PoolName", "UserPoolName", "EnabledMfas", "UserPoolTags")
    ),
    "AWS::Cognito::UserPoolClient": call(
        "cognito-idp", "create_user_pool_client", ["UserPoolClient", "ClientId"], to_user_pool_client
    ),
    "AWS::Cognito::UserPoolDomain": call("cognito-idp", "create_user_pool_domain", [], drop("ManagedLoginVersion")),
    "AWS::Cognito::UserPoolGroup": call("cognito-idp", "create_group"),
    "AWS::Cognito::UserPoolResourceServer": call("cognito-idp", "create_resource_server", ["ResourceServer", "Identifier"]),
    # moto does not know the version of AWS::Lambda::Version.
    "AWS::Lambda::Alias": call(
        "lambda", "create_alias", ["AliasArn"], lambda _name, given: {**given, "FunctionVersion": "$LATEST"}
    ),
    "AWS::S3::BucketPolicy": call(
        "s3", "put_bucket_policy", [], lambda _name, given: {"Bucket": given["Bucket"], "Policy": given["PolicyDocument"]}
    ),
    "AWS::SNS::Subscription": call("sns", "subscribe", ["SubscriptionArn"]),
    "AWS::SNS::TopicPolicy": set_topic_policy,
    "AWS::SQS::QueuePolicy": set_queue_policy,
    "AWS::Scheduler::Schedule": call("scheduler", "create_schedule", [], named("Name")),
    "AWS::XRay::SamplingRule": call("xray", "create_sampling_rule", ["SamplingRuleRecord", "SamplingRule", "RuleARN"]),
}


def import_methods(api, properties):
    """moto's CloudFormation ignores the OpenAPI body; its API validates the document and creates the methods."""
    body = json.dumps(properties["Body"])
    boto3.client("apigateway", region_name=region).put_rest_api(
        restApiId=api.physical_resource_id, mode="overwrite", failOnWarnings=True, body=body
    )


def create_or_replace(logical_id, resource_json, resources, **names):
    kind = resource_json["Type"]
    condition = resource_json.get("Condition")
    if condition and not resources.lazy_condition_map[condition]:
        outcomes[logical_id] = {"type": kind, "problem": None}
        return None
    created, problem = None, "unsupported"
    try:
        created = create_resource(logical_id, resource_json, resources, **names)
        properties = parsing.clean_json(resource_json.get("Properties", {}), resources)
        if created is None and kind in with_api:
            created = StandIn(logical_id, kind, with_api[kind](logical_id, properties))
        if kind == "AWS::ApiGateway::RestApi":
            import_methods(created, properties)
        problem = None if created is not None else problem
    except Exception as error:  # Every failure is an outcome; the caller decides which ones are known.
        problem = f"{type(error).__name__}: {error}"[:400]
    outcomes[logical_id] = {"type": kind, "problem": problem}
    return created or StandIn(logical_id, kind)


def clean_with_any_attribute(value, resources):
    """Some of moto's own resources lack attributes that CloudFormation has."""
    if isinstance(value, dict) and "Fn::GetAtt" in value:
        try:
            return clean(value, resources)
        except Exception:
            name, attribute = value["Fn::GetAtt"]
            return StandIn(name, outcomes[name]["type"]).get_cfn_attribute(attribute)
    return clean(value, resources)


parsing.parse_and_create_resource = create_or_replace
parsing.clean_json = clean_with_any_attribute


def upload_assets(template):
    """An empty zip file for each asset of the template, in the bucket of the bootstrap."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("index.mjs", "")
    s3 = boto3.client("s3", region_name=region)
    for name in {bucket_of(code): 0 for code in codes_of(template)}:
        s3.create_bucket(Bucket=name)
    for code in codes_of(template):
        s3.put_object(Bucket=bucket_of(code), Key=code["S3Key"], Body=archive.getvalue())
    return s3


def codes_of(template):
    functions = [each["Properties"] for each in template["Resources"].values() if each["Type"] == "AWS::Lambda::Function"]
    return [each["Code"] for each in functions if "S3Key" in each["Code"]]


def bucket_of(code):
    text = code["S3Bucket"]["Fn::Sub"]
    return text.replace("${AWS::AccountId}", "123456789012").replace("${AWS::Region}", region)


def create_stack(path):
    template = json.loads(path.read_text())
    # moto fails on outputs of types that it does not know.
    template.pop("Outputs")
    outcomes.clear()
    with mock_aws():
        s3 = upload_assets(template)
        s3.create_bucket(Bucket="templates")
        s3.put_object(Bucket="templates", Key="t", Body=json.dumps(template))
        boto3.client("cloudformation", region_name=region).create_stack(
            StackName=path.name.split(".")[0],
            TemplateURL="https://s3.amazonaws.com/templates/t",
            Capabilities=["CAPABILITY_NAMED_IAM"],
        )
    gaps = [{"name": name, **outcome} for name, outcome in outcomes.items() if outcome["problem"]]
    missing = [name for name in template["Resources"] if name not in outcomes]
    return {"resources": len(template["Resources"]), "gaps": gaps, "missing": missing}


print(json.dumps({Path(arg).name.split(".")[0]: create_stack(Path(arg)) for arg in sys.argv[1:]}))
