import AppLayout from '@cloudscape-design/components/app-layout';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import ErrorBoundary from '@cloudscape-design/components/error-boundary';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ProblemView } from '../components/problem-view.tsx';
import { hrefOf, navigate } from '../location.ts';
import { type FoundPage, trailTo } from '../pages/pages.ts';
import { Notices } from './notices.tsx';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';

const formWidth = 1000;

/** The frame around every page of a signed-in person. */
export function Shell({ path, page, children }: { path: string; page: FoundPage; children: ReactNode }) {
  const [navigationOpen, setNavigationOpen] = useState(() => matchMedia('(min-width: 689px)').matches);
  return (
    <>
      <TopBar />
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
        toolsHide
        content={<PageFrame path={path}>{children}</PageFrame>}
      />
    </>
  );
}

function Trail({ page }: { page: FoundPage }) {
  const steps = [{ name: 'Overview', path: '/' }, ...trailTo(page)];
  return (
    <BreadcrumbGroup
      items={steps.map(({ name, path }) => ({ text: name, href: hrefOf(path) }))}
      onFollow={(event) => {
        event.preventDefault();
        navigate(event.detail.href.replace(hrefOf(''), '/'));
      }}
    />
  );
}

/** After a change of page the focus goes to its beginning, as it does when a browser loads a page. */
function PageFrame({ path, children }: { path: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) frame.current?.focus();
    shown.current = path;
  }, [path]);
  return (
    <div ref={frame} tabIndex={-1} className="page">
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
        {children}
      </ErrorBoundary>
    </div>
  );
}
