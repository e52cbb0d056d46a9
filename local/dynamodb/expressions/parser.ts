// The grammar that all expressions share: tokens, document paths, operands and function calls, and errors that depend only
// on the text.
import { requireValue } from '../../require-value.ts';
import { validationError } from '../errors.ts';

const maxLength = 4096;
const maxOperators = 300;
const keywords = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);
const conditionFunctions = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
]);
const updateFunctions = new Set(['if_not_exists', 'list_append']);

export class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;
  private operators = 0;
  /** Errors that AWS reports only after the whole text is parsed, in AWS's order. */
  private readonly problems: { reserved?: string; functions?: string; parentheses?: string } = {};

  constructor(text: string) {
    if (text === '') throw syntaxError('The expression can not be empty;');
    if (Buffer.byteLength(text) > maxLength) {
      throw syntaxError(
        `Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
      );
    }
    this.text = text;
    this.tokens = tokenize(text);
  }

  finish(): void {
    if (this.peek().kind !== 'end') throw this.createUnexpectedTokenError();
    const { parentheses, functions, reserved } = this.problems;
    const first = parentheses ?? functions ?? reserved;
    if (first !== undefined) throw syntaxError(first);
    if (this.operators > maxOperators) {
      throw syntaxError(`The expression contains too many operators; operator count: ${maxOperators + 1}`);
    }
  }

  peek(ahead = 0): Token {
    return requireValue(this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]);
  }

  next(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  isSymbol(symbol: string): boolean {
    const token = this.peek();
    return token.kind === 'symbol' && token.text === symbol;
  }

  /** Keywords are case-insensitive. */
  peekKeyword(): string | undefined {
    const token = this.peek();
    if (token.kind !== 'word') return undefined;
    const upper = token.text.toUpperCase();
    return keywords.has(upper) ? upper : undefined;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.at++;
    return true;
  }

  takeKeyword(keyword: string): boolean {
    if (this.peekKeyword() !== keyword) return false;
    this.at++;
    return true;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.createUnexpectedTokenError();
  }

  parsePath(): Path {
    const steps: Step[] = [this.parseName()];
    for (;;) {
      if (this.takeSymbol('.')) steps.push(this.parseName());
      else if (this.takeSymbol('[')) {
        if (this.peek().kind !== 'number') throw this.createUnexpectedTokenError();
        steps.push(parseListIndex(this.next().text));
        this.expectSymbol(']');
      } else return steps;
    }
  }

  parsePlaceholder(): string {
    if (this.peek().kind !== 'value') throw this.createUnexpectedTokenError();
    return this.next().text;
  }

  /** A path, a : placeholder or a call; the caller checks which functions are allowed. */
  parseSimpleOperand(inner: () => Operand): Operand {
    const token = this.peek();
    if (token.kind === 'value') return { kind: 'value', placeholder: this.next().text };
    const isCall =
      token.kind === 'word' && !this.peekKeyword() && this.peek(1).kind === 'symbol' && this.peek(1).text === '(';
    return isCall ? this.call(inner) : { kind: 'path', path: this.parsePath() };
  }

  countOperator(): void {
    this.operators++;
  }

  reportRedundantParentheses(): void {
    this.problems.parentheses ??= 'The expression has redundant parentheses;';
  }

  createUnexpectedTokenError(): Error {
    const token = this.peek();
    const before = this.tokens[this.at - 1];
    const after = token.kind === 'end' ? token : this.peek(1);
    const start = before ? before.start : token.kind === 'end' ? 0 : token.start;
    return syntaxError(`Syntax error; token: "${token.text}", near: "${this.text.slice(start, after.end)}"`);
  }

  private call(inner: () => Operand): Operand {
    const name = this.next().text;
    this.countOperator();
    if (!conditionFunctions.has(name) && !updateFunctions.has(name)) {
      this.problems.functions ??= `Invalid function name; function: ${name}`;
    }
    this.expectSymbol('(');
    const operands = [inner()];
    while (this.takeSymbol(',')) operands.push(inner());
    this.expectSymbol(')');
    return { kind: 'function', name, operands };
  }

  private parseName(): string {
    const token = this.peek();
    if ((token.kind !== 'word' && token.kind !== 'name') || this.peekKeyword()) throw this.createUnexpectedTokenError();
    if (token.kind === 'word' && isReserved(token.text)) {
      this.problems.reserved ??= `Attribute name is a reserved keyword; reserved keyword: ${token.text}`;
    }
    this.at++;
    return token.text;
  }
}

const maxListIndex = 4_294_967_294;

function parseListIndex(text: string): number {
  if (Number(text) <= maxListIndex) return Number(text);
  throw syntaxError(`List index is not within the allowable range; index: [${text}]`);
}

export function isConditionFunction(name: string): boolean {
  return conditionFunctions.has(name);
}

/** An error in an expression; the caller adds the prefix "Invalid <Which>Expression: ". */
export function syntaxError(message: string): Error {
  return validationError(message);
}

// Parsed expressions, before # and : placeholders are replaced.

/** A step of a document path: a name (possibly a # placeholder) or a list index. */
export type Step = string | number;
export type Path = readonly Step[];

export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; placeholder: string }
  | { kind: 'function'; name: string; operands: readonly Operand[] }
  | { kind: 'arithmetic'; operator: '+' | '-'; left: Operand; right: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { kind: 'compare'; operator: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; operand: Operand; lower: Operand; upper: Operand }
  | { kind: 'in'; operand: Operand; choices: readonly Operand[] }
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'not'; condition: Condition }
  | { kind: 'function'; name: string; operands: readonly Operand[] };

export type UpdateAction =
  | { kind: 'set'; path: Path; value: Operand }
  | { kind: 'remove'; path: Path }
  | { kind: 'add' | 'delete'; path: Path; placeholder: string };

export type Update = readonly UpdateAction[];
export type Projection = readonly Path[];

// Splits an expression into tokens. An invalid character becomes its own token, so that the error message can name it.

export interface Token {
  kind: 'word' | 'name' | 'value' | 'number' | 'symbol' | 'end';
  text: string;
  start: number;
  end: number;
}

const pattern =
  /\s+|(?<word>[A-Za-z][A-Za-z0-9_]*)|(?<name>#[A-Za-z0-9_]+)|(?<value>:[A-Za-z0-9_]+)|(?<number>\d+)|(?<symbol><>|<=|>=|[\s\S])/gy;

export function tokenize(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    const groups = requireValue(match.groups);
    const kind = (['word', 'name', 'value', 'number', 'symbol'] as const).find((one) => groups[one] !== undefined);
    if (kind) found.push({ kind, text: match[0], start: match.index, end: match.index + match[0].length });
  }
  found.push({ kind: 'end', text: '<EOF>', start: text.length, end: text.length });
  return found;
}

/** Reserved words require a # placeholder, in any case. */
function isReserved(word: string): boolean {
  return reserved.has(word.toUpperCase());
}

const reserved = new Set(
  `
    ABORT ABSOLUTE ACTION ADD AFTER AGENT AGGREGATE ALL ALLOCATE ALTER ANALYZE AND ANY ARCHIVE ARE ARRAY AS ASC ASCII
    ASENSITIVE ASSERTION ASYMMETRIC AT ATOMIC ATTACH ATTRIBUTE AUTH AUTHORIZATION AUTHORIZE AUTO AVG BACK BACKUP BASE
    BATCH BEFORE BEGIN BETWEEN BIGINT BINARY BIT BLOB BLOCK BOOLEAN BOTH BREADTH BUCKET BULK BY BYTE CALL CALLED
    CALLING CAPACITY CASCADE CASCADED CASE CAST CATALOG CHAR CHARACTER CHECK CLASS CLOB CLOSE CLUSTER CLUSTERED
    CLUSTERING CLUSTERS COALESCE COLLATE COLLATION COLLECTION COLUMN COLUMNS COMBINE COMMENT COMMIT COMPACT COMPILE
    COMPRESS CONDITION CONFLICT CONNECT CONNECTION CONSISTENCY CONSISTENT CONSTRAINT CONSTRAINTS CONSTRUCTOR CONSUMED
    CONTINUE COPY CORRESPONDING COUNT COUNTER CREATE CROSS CUBE CURRENT CURSOR CYCLE DATA DATABASE DATE DATETIME DAY
    DEALLOCATE DEC DECIMAL DECLARE DEFAULT DEFERRABLE DEFERRED DEFINE DEFINED DEFINITION DELETE DELIMITED DEPTH DEREF
    DESC DESCRIBE DESCRIPTOR DETACH DETERMINISTIC DIAGNOSTICS DIRECTORIES DISABLE DISCONNECT DISTINCT DISTRIBUTE DO
    DOMAIN DOUBLE DROP DUMP DURATION DYNAMIC EACH ELEMENT ELSE ELSEIF EMPTY ENABLE END EQUAL EQUALS ERROR ESCAPE
    ESCAPED EVAL EVALUATE EXCEEDED EXCEPT EXCEPTION EXCEPTIONS EXCLUSIVE EXEC EXECUTE EXISTS EXIT EXPLAIN EXPLODE
    EXPORT EXPRESSION EXTENDED EXTERNAL EXTRACT FAIL FALSE FAMILY FETCH FIELDS FILE FILTER FILTERING FINAL FINISH
    FIRST FIXED FLATTERN FLOAT FOR FORCE FOREIGN FORMAT FORWARD FOUND FREE FROM FULL FUNCTION FUNCTIONS GENERAL
    GENERATE GET GLOB GLOBAL GO GOTO GRANT GREATER GROUP GROUPING HANDLER HASH HAVE HAVING HEAP HIDDEN HOLD HOUR
    IDENTIFIED IDENTITY IF IGNORE IMMEDIATE IMPORT IN INCLUDING INCLUSIVE INCREMENT INCREMENTAL INDEX INDEXED INDEXES
    INDICATOR INFINITE INITIALLY INLINE INNER INNTER INOUT INPUT INSENSITIVE INSERT INSTEAD INT INTEGER INTERSECT
    INTERVAL INTO INVALIDATE IS ISOLATION ITEM ITEMS ITERATE JOIN KEY KEYS LAG LANGUAGE LARGE LAST LATERAL LEAD
    LEADING LEAVE LEFT LENGTH LESS LEVEL LIKE LIMIT LIMITED LINES LIST LOAD LOCAL LOCALTIME LOCALTIMESTAMP LOCATION
    LOCATOR LOCK LOCKS LOG LOGED LONG LOOP LOWER MAP MATCH MATERIALIZED MAX MAXLEN MEMBER MERGE METHOD METRICS MIN
    MINUS MINUTE MISSING MOD MODE MODIFIES MODIFY MODULE MONTH MULTI MULTISET NAME NAMES NATIONAL NATURAL NCHAR NCLOB
    NEW NEXT NO NONE NOT NULL NULLIF NUMBER NUMERIC OBJECT OF OFFLINE OFFSET OLD ON ONLINE ONLY OPAQUE OPEN OPERATOR
    OPTION OR ORDER ORDINALITY OTHER OTHERS OUT OUTER OUTPUT OVER OVERLAPS OVERRIDE OWNER PAD PARALLEL PARAMETER
    PARAMETERS PARTIAL PARTITION PARTITIONED PARTITIONS PATH PERCENT PERCENTILE PERMISSION PERMISSIONS PIPE PIPELINED
    PLAN POOL POSITION PRECISION PREPARE PRESERVE PRIMARY PRIOR PRIVATE PRIVILEGES PROCEDURE PROCESSED PROJECT
    PROJECTION PROPERTY PROVISIONING PUBLIC PUT QUERY QUIT QUORUM RAISE RANDOM RANGE RANK RAW READ READS REAL REBUILD
    RECORD RECURSIVE REDUCE REF REFERENCE REFERENCES REFERENCING REGEXP REGION REINDEX RELATIVE RELEASE REMAINDER
    REMOVE RENAME REPEAT REPLACE REQUEST RESET RESIGNAL RESOURCE RESPONSE RESTORE RESTRICT RESULT RETURN RETURNING
    RETURNS REVERSE REVOKE RIGHT ROLE ROLES ROLLBACK ROLLUP ROUTINE ROW ROWS RULE RULES SAMPLE SATISFIES SAVE
    SAVEPOINT SCAN SCHEMA SCOPE SCROLL SEARCH SECOND SECTION SEGMENT SEGMENTS SELECT SELF SEMI SENSITIVE SEPARATE
    SEQUENCE SERIALIZABLE SESSION SET SETS SHARD SHARE SHARED SHORT SHOW SIGNAL SIMILAR SKEWED SMALLINT SNAPSHOT SOME
    SOURCE SPACE SPACES SPARSE SPECIFIC SPECIFICTYPE SPLIT SQL SQLCODE SQLERROR SQLEXCEPTION SQLSTATE SQLWARNING
    START STATE STATIC STATUS STORAGE STORE STORED STREAM STRING STRUCT STYLE SUB SUBMULTISET SUBPARTITION SUBSTRING
    SUBTYPE SUM SUPER SYMMETRIC SYNONYM SYSTEM TABLE TABLESAMPLE TEMP TEMPORARY TERMINATED TEXT THAN THEN THROUGHPUT
    TIME TIMESTAMP TIMEZONE TINYINT TO TOKEN TOTAL TOUCH TRAILING TRANSACTION TRANSFORM TRANSLATE TRANSLATION TREAT
    TRIGGER TRIM TRUE TRUNCATE TTL TUPLE TYPE UNDER UNDO UNION UNIQUE UNIT UNKNOWN UNLOGGED UNNEST UNPROCESSED
    UNSIGNED UNTIL UPDATE UPPER URL USAGE USE USER USERS USING UUID VACUUM VALUE VALUED VALUES VARCHAR VARIABLE
    VARIANCE VARINT VARYING VIEW VIEWS VIRTUAL VOID WAIT WHEN WHENEVER WHERE WHILE WINDOW WITH WITHIN WITHOUT WORK
    WRAPPED WRITE YEAR ZONE
  `
    .trim()
    .split(/\s+/),
);
