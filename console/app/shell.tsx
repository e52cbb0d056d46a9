import AppLayout from '@cloudscape-design/components/app-layout';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import ErrorBoundary from '@cloudscape-design/components/error-boundary';
import Flashbar from '@cloudscape-design/components/flashbar';
import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { EndFirstView } from '../base/handover.ts';
import { isBackNavigation, navigate, toHref } from '../base/router.ts';
import { useStore } from '../base/store.ts';
import { lazyPage } from '../ui/lazy-page.ts';
import { dismissNotice, notices } from '../ui/notices.ts';
import { FactsSkeleton } from '../ui/panels.tsx';
import { ProblemView } from '../ui/problem-view.tsx';
import { recordNames } from '../ui/record-names.ts';
import { sidePanel } from '../ui/side-panel.ts';
import { type FoundPage, useOfferedPages } from './pages.ts';
import { paletteOpen, TopBar } from './top-bar.tsx';

const formWidth = 1000;

const Palette = lazyPage(() => import('./palette.tsx'), 'Palette');
const SplitPanel = lazyPage(() => import('@cloudscape-design/components/split-panel'), 'default');

/** The layout around every page. */
export function Shell({ path, page, children }: { path: string; page: FoundPage; children: ReactNode }) {
  const searching = useStore(paletteOpen);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      paletteOpen.set(!paletteOpen.get());
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const [navigationOpen, setNavigationOpen] = useState(() => matchMedia('(min-width: 689px)').matches);
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar />
      {searching && (
        <Suspense fallback={null}>
          <Palette onClose={() => paletteOpen.set(false)} />
        </Suspense>
      )}
      <AppLayout
        headerSelector="#top-bar"
        navigation={<SideBar path={path} page={page} />}
        navigationWidth={220}
        navigationOpen={navigationOpen}
        onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
        contentType={page.contentType ?? 'default'}
        {...(page.contentType === 'form' ? { maxContentWidth: formWidth } : {})}
        breadcrumbs={path === '/' ? undefined : <Trail page={page} />}
        notifications={<Notices />}
        stickyNotifications
        toolsHide
        {...useSidePanel()}
        content={<PageFrame path={path}>{children}</PageFrame>}
      />
    </>
  );
}

/** The layout decides once whether the panel is controlled, so its properties are always there. */
function useSidePanel() {
  const panel = useStore(sidePanel);
  return {
    splitPanelOpen: panel !== undefined,
    splitPanelPreferences: { position: 'side' as const },
    onSplitPanelToggle: () => panel?.onClose(),
    splitPanel: panel && (
      <Suspense fallback={null}>
        <SplitPanel header={panel.header} closeBehavior="hide" hidePreferencesButton>
          {panel.content}
        </SplitPanel>
      </Suspense>
    ),
  };
}

function Trail({ page }: { page: FoundPage }) {
  const names = useStore(recordNames);
  const steps = [{ name: 'Overview', path: '/' }, ...page.trail];
  return (
    <BreadcrumbGroup
      items={steps.map(({ name, path }) => ({ text: names[name] ?? name, href: toHref(path) }))}
      onFollow={(event) => {
        event.preventDefault();
        navigate(event.detail.href.replace(toHref(''), '/'));
      }}
    />
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
          <>
            <ProblemView
              problem={new Error('This page could not be displayed.')}
              onRetry={() => window.location.reload()}
            />
            <EndFirstView />
          </>
        )}
      >
        <Suspense fallback={<FactsSkeleton facts={6} label="Loading page" />}>
          {children}
          <EndFirstView />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

export function SideBar({ path, page }: { path: string; page: FoundPage }) {
  const shown = path === '/' ? path : (page.trail[0]?.path ?? '/');
  return (
    <SideNavigation
      activeHref={toHref(shown)}
      items={toItems(useOfferedPages())}
      onFollow={(event) => {
        event.preventDefault();
        navigate(event.detail.href.replace(toHref(''), '/'));
      }}
    />
  );
}

/** Pages without a section come first; each section keeps the order in which its pages are listed. */
function toItems(offered: ReturnType<typeof useOfferedPages>): SideNavigationProps.Item[] {
  const sections = [...new Set(offered.flatMap(({ section }) => section ?? []))];
  return sections.flatMap((section): SideNavigationProps.Item[] => {
    const links = offered
      .filter((page) => page.section === section)
      .map(({ title, path }): SideNavigationProps.Link => ({ type: 'link', text: title, href: toHref(path) }));
    return section === '' ? links : [{ type: 'section', text: section, items: links }];
  });
}

export function Notices() {
  const shown = useStore(notices);
  return (
    <Flashbar
      stackItems={shown.length > 2}
      items={shown.map(({ id, type, header, content }) => ({
        id,
        type,
        header,
        content,
        loading: type === 'in-progress',
        dismissible: true,
        dismissLabel: 'Dismiss',
        ariaRole: type === 'error' ? 'alert' : 'status',
        onDismiss: () => dismissNotice(id),
      }))}
    />
  );
}
