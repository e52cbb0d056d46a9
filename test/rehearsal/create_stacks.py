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
# Functions are created, not run.
os.environ["MOTO_LAMBDA_STUB"] = "1"

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
        service = self.type.split("::")[1].lower()
        return f"arn:aws:{service}:{region}:123456789012:{self.name}" if attribute.endswith("Arn") else f"{self.name}-{attribute}"


def lower(value):
    """Property names as the older APIs spell them."""
    if isinstance(value, list):
        return [lower(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key[0].lower() + key[1:]: lower(each) for key, each in value.items()}


def without(properties, *names):
    return {key: value for key, value in properties.items() if key not in names}


def call(service, operation, path=None):
    """Creates a resource with the API. boto3 rejects unknown and wrongly typed properties; the path leads to the id."""

    def run(name, properties):
        response = getattr(boto3.client(service, region_name=region), operation)(**properties)
        for step in path or []:
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


def create_user_pool(name, properties):
    given = without(properties, "UserPoolName", "EnabledMfas", "UserPoolTags")
    return call("cognito-idp", "create_user_pool", ["UserPool", "Id"])(name, {"PoolName": name, **given})


# Types that moto's CloudFormation does not know, but its services do.
with_api = {
    "AWS::CloudWatch::Alarm": lambda name, given: call("cloudwatch", "put_metric_alarm")(name, {"AlarmName": name, **given}),
    "AWS::Cognito::UserPool": create_user_pool,
    "AWS::Cognito::UserPoolClient": call("cognito-idp", "create_user_pool_client", ["UserPoolClient", "ClientId"]),
    "AWS::Cognito::UserPoolDomain": lambda name, given: call("cognito-idp", "create_user_pool_domain")(
        name, without(given, "ManagedLoginVersion")
    ),
    "AWS::Cognito::UserPoolGroup": call("cognito-idp", "create_group"),
    "AWS::Cognito::UserPoolResourceServer": call("cognito-idp", "create_resource_server", ["ResourceServer", "Identifier"]),
    # moto does not know the version of AWS::Lambda::Version.
    "AWS::Lambda::Alias": lambda name, given: call("lambda", "create_alias", ["AliasArn"])(
        name, {**given, "FunctionVersion": "$LATEST"}
    ),
    "AWS::S3::BucketPolicy": lambda name, given: call("s3", "put_bucket_policy")(
        name, {"Bucket": given["Bucket"], "Policy": json.dumps(given["PolicyDocument"])}
    ),
    "AWS::SNS::TopicPolicy": set_topic_policy,
    "AWS::SQS::QueuePolicy": set_queue_policy,
    "AWS::Scheduler::Schedule": lambda name, given: call("scheduler", "create_schedule")(name, {"Name": name, **given}),
    "AWS::CodeDeploy::Application": lambda name, given: call("codedeploy", "create_application")(
        name, lower({"ApplicationName": name, **given})
    ),
    "AWS::ApiGateway::ApiKey": lambda name, given: call("apigateway", "create_api_key", ["id"])(
        name, {**lower(without(given, "Tags", "Value", "GenerateDistinctId", "StageKeys")), "value": name + "-of-20-characters"}
    ),
    "AWS::ApiGateway::UsagePlan": lambda name, given: call("apigateway", "create_usage_plan", ["id"])(
        name, {"name": given["UsagePlanName"], "throttle": lower(given.get("Throttle", {}))}
    ),
    "AWS::ApiGateway::UsagePlanKey": lambda name, given: call("apigateway", "create_usage_plan_key", ["id"])(
        name, lower(given)
    ),
}


def create_or_replace(logical_id, resource_json, resources, **names):
    kind = resource_json["Type"]
    created, problem = None, "unsupported"
    try:
        created = create_resource(logical_id, resource_json, resources, **names)
        if created is None and kind in with_api:
            properties = parsing.clean_json(resource_json.get("Properties", {}), resources)
            created = StandIn(logical_id, kind, with_api[kind](logical_id, properties))
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
