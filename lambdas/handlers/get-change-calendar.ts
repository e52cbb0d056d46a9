import { changeOperations } from '../../contract/changes.ts';
import { changeListing } from '../changes/change-listing.ts';
import { getChangeCalendar } from '../changes/get-change-calendar.ts';
import { deployedGraph } from '../cmdb/deployed-graph.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(
  changeOperations.getChangeCalendar,
  getChangeCalendar(deployedList(changeListing), deployedGraph()),
);
