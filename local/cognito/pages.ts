// The hosted pages: sign in, choose a password, sign out, error. Plain HTML with one style sheet, no scripts and no external assets;
// usable at 320 px, by keyboard and by screen reader, light or dark.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const style = `
:root { color-scheme: light dark; --line: #6b7480; --text: #16191f; --soft: #5f6b7a; --back: #f4f6f8; --card: #fff;
  --accent: #0b5cad; --accent-text: #fff; --bad: #b3121d; --bad-back: #fdf0f0; }
@media (prefers-color-scheme: dark) { :root { --line: #8b95a3; --text: #eaeef3; --soft: #a9b4c2; --back: #0f141a;
  --card: #1a212a; --accent: #8ec5ff; --accent-text: #0f141a; --bad: #ff9a9f; --bad-back: #3a1a1d; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center; padding: 16px;
  background: var(--back); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 400px; padding: 32px 24px; background: var(--card); border-radius: 12px;
  box-shadow: 0 1px 3px rgb(0 0 0 / .16); overflow-wrap: anywhere; }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 20px; }
main > :last-child { margin-bottom: 0; }
.soft { color: var(--soft); }
label { display: block; margin: 16px 0 4px; font-weight: 600; }
input { width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--line); border-radius: 8px; }
button, .button { display: block; width: 100%; min-height: 44px; margin-top: 24px; padding: 8px 12px; font: inherit; font-weight: 600;
  color: var(--accent-text); background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
.button { text-align: center; text-decoration: none; }
.second { color: var(--accent); background: transparent; border: 1px solid; }
.or { margin: 20px 0 0; text-align: center; color: var(--soft); }
input:focus-visible, button:focus-visible, .button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[aria-invalid] { border-color: var(--bad); }
.alert { padding: 12px; color: var(--bad); background: var(--bad-back); border: 1px solid; border-radius: 8px; }
.hint { margin: 4px 0 0; font-size: 14px; color: var(--soft); }
code { font-size: 14px; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** `formTarget` is the client's origin: form-action must allow the redirect after a form. */
export function buildPageHeaders(formTarget?: string): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    `img-src data:`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
  ].join('; ');
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

export interface SignInForm {
  service: string;
  action: string;
  csrf: string;
  /** External identity providers, which come first. */
  providers: readonly string[];
  username: string;
  error: string | undefined;
}

export function renderSignInPage({ service, action, csrf, providers, username, error }: SignInForm): string {
  // Without a name, the error is not about what the person typed.
  const invalid = error === undefined || username === '' ? '' : ' aria-invalid="true" aria-describedby="error"';
  const hasProviders = providers.length > 0;
  const focus = (field: 'name' | 'password') =>
    !hasProviders && (username === '') === (field === 'name') ? ' autofocus' : '';
  const links = providers.map(
    (name) =>
      `<a class="button" href="${escapeHtml(`${action}?provider=${encodeURIComponent(name)}`)}">Sign in with ${escapeHtml(name)}</a>\n`,
  );
  return renderPage(
    `Sign in · ${service}`,
    `<h1>Sign in to ${escapeHtml(service)}</h1>
${renderAlert(error)}${links.join('')}${hasProviders ? '<p class="or">or with a password</p>\n' : ''}<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="_csrf" value="${escapeHtml(csrf)}">
<label for="username">E-mail address</label>
<input id="username" name="username" type="email" value="${escapeHtml(username)}"
 autocomplete="username" autocapitalize="none" spellcheck="false" required${invalid}${focus('name')}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}${focus('password')}>
<button type="submit"${hasProviders ? ' class="second"' : ''}>Sign in</button>
</form>`,
    error,
  );
}

export interface NewPasswordForm {
  service: string;
  action: string;
  csrf: string;
  /** Proves that the temporary password was correct. */
  challenge: string;
  rules: string;
  error: string | undefined;
}

export function renderNewPasswordPage({ service, action, csrf, challenge, rules, error }: NewPasswordForm): string {
  const invalid = error === undefined ? '' : ' aria-invalid="true"';
  return renderPage(
    `Choose a password · ${service}`,
    `<h1>Choose a password</h1>
<p class="soft">Your password for ${escapeHtml(service)} is temporary. Choose a new password to continue.</p>
${renderAlert(error)}<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="_csrf" value="${escapeHtml(csrf)}">
<input type="hidden" name="challenge" value="${escapeHtml(challenge)}">
<label for="new_password">New password</label>
<input id="new_password" name="new_password" type="password" autocomplete="new-password" required autofocus
 aria-describedby="rules"${invalid}>
<p class="hint" id="rules">${escapeHtml(rules)}</p>
<label for="repeated_password">Confirm new password</label>
<input id="repeated_password" name="repeated_password" type="password" autocomplete="new-password" required${invalid}>
<button type="submit">Save and sign in</button>
</form>`,
    error,
  );
}

/** Asks before a sign-out that another site started. The form repeats the request from this origin. */
export function renderSignOutPage(service: string, query: URLSearchParams): string {
  const fields = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`,
  );
  return renderPage(
    `Sign out · ${service}`,
    `<h1>Sign out of ${escapeHtml(service)}?</h1>
<p class="soft">Another site opened this page. Close it to stay signed in.</p>
<form method="get" action="/logout">
${fields.join('')}<button type="submit">Sign out</button>
</form>`,
  );
}

export function sendErrorPage(
  response: ServerResponse,
  service: string,
  code: string,
  detail: string,
  status = 400,
): void {
  response.writeHead(status, buildPageHeaders());
  response.end(renderErrorPage(service, code, detail));
}

export function renderErrorPage(service: string, code: string, detail: string | undefined): string {
  return renderPage(
    `Cannot sign in · ${service}`,
    `<h1>Cannot sign in</h1>
<p>${escapeHtml(detail ?? 'Something went wrong.')}</p>
<p class="soft">Return to the application and try again. Error code: <code>${escapeHtml(code)}</code>.</p>`,
  );
}

function renderPage(title: string, body: string, error?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${error === undefined ? '' : 'Error: '}${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function renderAlert(error: string | undefined): string {
  return error === undefined ? '' : `<p class="alert" id="error" role="alert">${escapeHtml(error)}</p>\n`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
