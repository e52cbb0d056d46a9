import './service-desk/ask.ts';
import './service-desk/knowledge.ts';
import './service-desk/cmdb.ts';
import './service-desk/changes.ts';
