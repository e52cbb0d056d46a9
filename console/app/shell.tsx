import './shell.css';
import { Fragment, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { openIncidentStates } from '../../contract/states.ts';
import { useApi } from '../base/api.ts';
import { usePreferences } from '../base/preferences.ts';
import { isBackNavigation, usePath, useQueryString } from '../base/router.ts';
import { useStore } from '../base/store.ts';

import { useLoad } from '../base/use-load.ts';
import icon from '../icon.svg';
import { Button, ErrorBoundary, Icon } from '../ui/kit/index.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { FactsSkeleton } from '../ui/panels.tsx';
import { PlainLink } from '../ui/plain-link.tsx';
import { ProblemPage } from '../ui/problem-page.tsx';
import { recordNames } from '../ui/record-names.ts';
import { useNarrowScreen } from '../ui/screen.ts';
import { sidePanel } from '../ui/side-panel.ts';
import { useLatestNotifications } from './bell.tsx';
import { ClockBanner } from './clock-banner.tsx';
import { useOfferedPages } from './offered-pages.ts';
import type { FoundPage } from './pages.ts';
import { applyTimeZone } from './time-zone.ts';
import { Toasts } from './toasts.tsx';
import { paletteOpen, TopBar } from './top-bar.tsx';

const Palette = lazyPage(() => import('./palette.tsx'), 'Palette');
const TeamViews = lazyPage(() => import('./team-views.tsx'), 'TeamViews');

/** The layout around every page. */
export function Shell({ path, page, children }: { path: string; page: FoundPage; children: ReactNode }) {
  const isSearching = useStore(paletteOpen);
  useTimeZonePreference();
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
      <div className="shell">
        {isNavigationOpen && <SideBar page={page} {...(isNarrow ? { onClose: () => setNavigationOpen(false) } : {})} />}
        <div className="shell-main">
          <TopBar>
            <Button
              variant="icon"
              icon="menu"
              ariaLabel={isNavigationOpen ? 'Close navigation' : 'Open navigation'}
              ariaExpanded={isNavigationOpen}
              onClick={() => setNavigationOpen(!isNavigationOpen)}
            />
            <Trail page={page} />
          </TopBar>
          <ClockBanner />
          <div className="layout">
            <main className={`layout-${page.contentType ?? 'default'}`}>
              <PageFrame path={path}>{children}</PageFrame>
            </main>
            <SidePanel />
          </div>
        </div>
      </div>
      <Suspense>{isSearching && <Palette onClose={() => paletteOpen.set(false)} />}</Suspense>
      <Toasts />
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
        <Button variant="icon" icon="close" ariaLabel="Close panel" onClick={panel.onClose} />
      </div>
      {panel.content}
    </section>
  );
}

function Trail({ page }: { page: FoundPage }) {
  const names = useStore(recordNames);
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="trail">
        {page.trail.slice(0, -1).map(({ name, path }) => (
          <li key={path}>
            <PlainLink to={path} className="trail-link">
              {names[name] ?? name}
            </PlainLink>
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
  const failure = new Error('This page could not be displayed.');
  return (
    <div ref={frame} tabIndex={-1} className="page" id="content">
      <ErrorBoundary key={path} fallback={<ProblemPage problem={failure} onRetry={() => window.location.reload()} />}>
        <Suspense fallback={<FactsSkeleton facts={6} label="Loading page" />}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Pages without a section come first; each section keeps the order in which its pages are listed. Covers small screens. */
function SideBar({ page, onClose }: { page: FoundPage; onClose?: () => void }) {
  const { config } = useApi();
  const offered = useOfferedPages();
  const counts = useCounts();
  const sections = [...new Set(offered.flatMap(({ section }) => section ?? []))];
  const shown = page.trail[0]?.path;
  return (
    <nav className="side-bar" aria-label="Pages">
      <div className="brand">
        <PlainLink to="/" className="brand-link" onClick={onClose}>
          <img src={icon} alt="" width={20} height={20} />
          <span>Incident Service</span>
        </PlainLink>
        {onClose && <Button variant="icon" icon="close" ariaLabel="Close navigation" onClick={onClose} />}
      </div>
      {sections.map((section) => (
        <Fragment key={section}>
          {section !== '' && <h2>{section}</h2>}
          <ul>
            {offered
              .filter((one) => one.section === section)
              .map(({ title, path, icon: name = 'file' }) => (
                <li key={path}>
                  <PlainLink
                    to={path}
                    className="side-link"
                    onClick={onClose}
                    aria-current={path === shown ? 'page' : undefined}
                  >
                    <Icon name={name} />
                    <span>{title}</span>
                    {counts[path] && <span className="side-count">{counts[path]}</span>}
                  </PlainLink>
                </li>
              ))}
          </ul>
        </Fragment>
      ))}
      <SharedViews {...(onClose ? { onClose } : {})} />
      <div className="side-foot">Instance {config.service_instance}</div>
    </nav>
  );
}

function SharedViews({ onClose }: { onClose?: () => void }) {
  const shown = `${usePath()}?${useQueryString()}`;
  return <Suspense>{useIsIdle() && <TeamViews shown={shown} {...(onClose ? { onClose } : {})} />}</Suspense>;
}

/** The time zone may have been changed in another browser. */
function useTimeZonePreference(): void {
  const preferences = usePreferences(useIsIdle()).data;
  useEffect(() => {
    if (preferences) applyTimeZone(preferences.time_zone);
  }, [preferences]);
}

/** False while the page loads, which comes first. */
function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), idleMs);
    return () => clearTimeout(timer);
  }, []);
  return isIdle;
}

const idleMs = 1_500;

const countPolling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 120 };

/** Work that waits, by the path of its page. */
function useCounts(): Readonly<Record<string, string | undefined>> {
  const { client } = useApi();
  const open = useLoad(
    ['statistics', 'open'],
    (signal) => client.getIncidentStatistics({ state: openIncidentStates }, { signal, retries: 0 }),
    { polling: countPolling },
  );
  const unread = useLatestNotifications().data?.unread ?? 0;
  return {
    '/incidents': open.data?.count.toLocaleString('en'),
    '/notifications': unread > 0 ? unread.toLocaleString('en') : undefined,
  };
}
