import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import { hrefOf, navigate } from '../location.ts';
import { type FoundPage, pages, trailTo } from '../pages/pages.ts';

export function SideBar({ path, page }: { path: string; page: FoundPage }) {
  const shown = path === '/' ? path : trailTo(page)[0]!.path;
  return (
    <SideNavigation
      activeHref={hrefOf(shown)}
      items={items()}
      onFollow={(event) => {
        event.preventDefault();
        navigate(event.detail.href.replace(hrefOf(''), '/'));
      }}
    />
  );
}

/** Pages without a section come first; each section keeps the order in which its pages are listed. */
function items(): SideNavigationProps.Item[] {
  const sections = [...new Set(pages.map(({ section }) => section))].filter((section) => section !== undefined);
  return sections.flatMap((section): SideNavigationProps.Item[] => {
    const links = pages
      .filter((page) => page.section === section)
      .map(({ title, path }): SideNavigationProps.Link => ({ type: 'link', text: title, href: hrefOf(path) }));
    return section === '' ? links : [{ type: 'section', text: section, items: links }];
  });
}
