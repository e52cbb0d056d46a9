import './shell.css';
import Button from '@cloudscape-design/components/button';
import ErrorBoundary from '@cloudscape-design/components/error-boundary';
import { Fragment, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { isBackNavigation } from '../base/router.ts';
import { useStore } from '../base/store.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { notices } from '../ui/notices.ts';
import { FactsSkeleton } from '../ui/panels.tsx';
import { PlainLink } from '../ui/plain-link.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { recordNames } from '../ui/record-names.ts';
import { useNarrowScreen } from '../ui/screen.ts';
import { sidePanel } from '../ui/side-panel.ts';
import { ClockBanner } from './clock-banner.tsx';
import { type FoundPage, useOfferedPages } from './pages.ts';
import { paletteOpen, TopBar } from './top-bar.tsx';

const Palette = lazyPage(() => import('./palette.tsx'), 'Palette');
const Notices = lazyPage(() => import('./notice-bar.tsx'), 'NoticeBar');

/** The layout around every page. Its parts are plain elements: those of the component library take seconds on a slow machine. */
export function Shell({ path, page, children }: { path: string; page: FoundPage; children: ReactNode }) {
  const isSearching = useStore(paletteOpen);
  const hasNotices = useStore(notices).length > 0;
  const isNarrow = useNarrowScreen();
  const [isNavigationOpen, setNavigationOpen] = useState(!isNarrow);
  useEffect(() => setNavigationOpen(!isNarrow), [isNarrow]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      paletteOpen.set(!paletteOpen.get());
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar />
      <ClockBanner />
      <Suspense fallback={null}>
        {isSearching && <Palette onClose={() => paletteOpen.set(false)} />}
        {hasNotices && <Notices />}
      </Suspense>
      <div className="layout">
        {isNavigationOpen && <SideBar page={page} {...(isNarrow ? { onClose: () => setNavigationOpen(false) } : {})} />}
        <div className="layout-content">
          <div className="layout-tools">
            <Button
              variant="icon"
              iconName="menu"
              ariaLabel={isNavigationOpen ? 'Close navigation' : 'Open navigation'}
              ariaExpanded={isNavigationOpen}
              onClick={() => setNavigationOpen(!isNavigationOpen)}
            />
            {path !== '/' && <Trail page={page} />}
          </div>
          <main className={`layout-${page.contentType ?? 'default'}`}>
            <PageFrame path={path}>{children}</PageFrame>
          </main>
        </div>
        <SidePanel />
      </div>
    </>
  );
}

function SidePanel() {
  const panel = useStore(sidePanel);
  if (!panel) return null;
  return (
    <section className="side-panel" aria-label={panel.header}>
      <div className="side-panel-head">
        <h2 className="wrapping">{panel.header}</h2>
        <Button variant="icon" iconName="close" ariaLabel="Close panel" onClick={panel.onClose} />
      </div>
      {panel.content}
    </section>
  );
}

function Trail({ page }: { page: FoundPage }) {
  const names = useStore(recordNames);
  const above = [{ name: 'Overview', path: '/' }, ...page.trail.slice(0, -1)];
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="trail">
        {above.map(({ name, path }) => (
          <li key={path}>
            <PlainLink to={path}>{names[name] ?? name}</PlainLink>
          </li>
        ))}
        <li aria-current="page">{names[page.name] ?? page.name}</li>
      </ol>
    </nav>
  );
}

/** Moves the focus to the start of a new page, as browsers do when they load one. */
function PageFrame({ path, children }: { path: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) frame.current?.focus({ preventScroll: isBackNavigation() });
    shown.current = path;
  }, [path]);
  return (
    <div ref={frame} tabIndex={-1} className="page" id="content">
      <ErrorBoundary
        key={path}
        onError={({ error }) => console.error(error)}
        renderFallback={() => (
          <ProblemView
            problem={new Error('This page could not be displayed.')}
            onRetry={() => window.location.reload()}
          />
        )}
      >
        <Suspense fallback={<FactsSkeleton facts={6} label="Loading page" />}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Pages without a section come first; each section keeps the order in which its pages are listed. Covers small screens. */
function SideBar({ page, onClose }: { page: FoundPage; onClose?: () => void }) {
  const offered = useOfferedPages();
  const sections = [...new Set(offered.flatMap(({ section }) => section ?? []))];
  const shown = page.trail[0]?.path;
  return (
    <nav className="side-bar" aria-label="Pages">
      {onClose && <Button variant="icon" iconName="close" ariaLabel="Close navigation" onClick={onClose} />}
      {sections.map((section) => (
        <Fragment key={section}>
          {section !== '' && <h2>{section}</h2>}
          <ul>
            {offered
              .filter((one) => one.section === section)
              .map(({ title, path }) => (
                <li key={path}>
                  <PlainLink to={path} onClick={onClose} {...(path === shown ? { 'aria-current': 'page' } : {})}>
                    {title}
                  </PlainLink>
                </li>
              ))}
          </ul>
        </Fragment>
      ))}
    </nav>
  );
}
