import { routes } from '../../contract/routes.ts';
import { articleType } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(routes.deleteArticle, deleteRecord(deployedChanger(articleType)));
