/** Selects the rules of a minified style sheet that apply to the markup: those without a class, and those whose classes it has. */
export function selectStyles(styles: string | Uint8Array, markup: string): string {
  const css = typeof styles === 'string' ? styles : Buffer.from(styles).toString('utf8');
  const classes = [...markup.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' '));
  const used = new Set([...alwaysUsed, ...classes]);
  const selected = splitRules(css)
    .map(({ prelude, body }) => selectRule(prelude, body, used))
    .join('');
  return removeUnusedProperties(selected);
}

/** Classes of the body, and those that the script adds. */
const alwaysUsed = ['awsui-dark-mode', 'first-view-shown', 'unbroken', 'wrapping'];

function selectRule(prelude: string, body: string, used: ReadonlySet<string>): string {
  if (body === '') return '';
  if (/^@(?:media|supports|container|layer)/.test(prelude)) {
    const inner = splitRules(body)
      .map((rule) => selectRule(rule.prelude, rule.body, used))
      .join('');
    return inner === '' ? '' : `${prelude}{${inner}}`;
  }
  if (prelude.startsWith('@')) return prelude.startsWith('@keyframes') ? '' : `${prelude}{${body}}`;
  const selectors = splitSelectors(prelude).filter((selector) => isUsed(selector, used));
  return selectors.length === 0 ? '' : `${selectors.join(',')}{${body}}`;
}

/** Themes define every color and size of all components. */
function removeUnusedProperties(css: string): string {
  const read = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  return css.replace(/(--[\w-]+):[^;{}]*;?/g, (declaration, name: string) => (read.has(name) ? declaration : ''));
}

interface Rule {
  prelude: string;
  body: string;
}

function splitRules(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  let open = 0;
  for (let place = 0; place < css.length; place += 1) {
    const character = css[place];
    if (character === '"' || character === "'") place = Math.max(place, css.indexOf(character, place + 1));
    else if (character === '{' && depth++ === 0) open = place;
    else if (character === ';' && depth === 0) start = place + 1;
    else if (character === '}' && --depth === 0) {
      rules.push({ prelude: css.slice(start, open).trim(), body: css.slice(open + 1, place) });
      start = place + 1;
    }
  }
  return rules;
}

/** Commas inside of parentheses do not separate selectors. */
function splitSelectors(prelude: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const character of prelude) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += character;
  }
  return selectors;
}

/** A class in `:not(…)` may be missing. */
function isUsed(selector: string, used: ReadonlySet<string>): boolean {
  const required = selector.replace(/:not\([^()]*\)/g, '');
  return [...required.matchAll(/\.([\w-]+)/g)].every(([, name = '']) => used.has(name));
}
