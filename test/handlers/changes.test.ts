await import('./changes/changes.ts');
await import('./changes/approvals.ts');
await import('./changes/problems.ts');
