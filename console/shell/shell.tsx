import AppLayout from '@cloudscape-design/components/app-layout';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import type { ReactNode } from 'react';
import { hrefOf, navigate } from '../location.ts';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame around every page of a signed-in person. */
export function Shell({ path, title, children }: { path: string; title: string; children: ReactNode }) {
  return (
    <>
      <TopBar />
      <AppLayout
        headerSelector="#top-bar"
        navigation={<SideBar path={path} />}
        navigationWidth={240}
        breadcrumbs={
          path === '/' ? undefined : (
            <BreadcrumbGroup
              items={[
                { text: 'Overview', href: hrefOf('/') },
                { text: title, href: hrefOf(path) },
              ]}
              onFollow={(event) => {
                event.preventDefault();
                navigate('/');
              }}
            />
          )
        }
        toolsHide
        content={children}
      />
    </>
  );
}
