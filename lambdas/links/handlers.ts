import { linkOperations } from '../../contract/links.ts';
import { createChangeRules } from '../changes/change.ts';
import { createIncidentRules } from '../incidents/incident.ts';
import { createRecordReader } from '../lists/record-store.ts';
import { route } from '../platform/http/route.ts';
import { problemResource } from '../problems/problem.ts';
import type { Changer } from '../records/change-record.ts';
import type { Linked } from '../records/record.ts';
import { createChanger, createRecordStore } from '../records/wiring.ts';
import { loadLevels } from '../sla/level-store.ts';
import { createLink, deleteLink, listLinks } from './links.ts';

const createReader = () => {
  const store = createRecordStore();
  return { store, read: createRecordReader(store) };
};

const createLinkTools = () => {
  const { store, read } = createReader();
  const levels = loadLevels(store);
  const { resource } = createIncidentRules(levels);
  const types = { incident: resource, problem: problemResource, change: createChangeRules(levels).resource };
  return { store, read, change: createChanger(resource, store) as unknown as Changer<Linked>, types };
};

export const getIncidentLinks = () => route(linkOperations.getIncidentLinks, listLinks(createReader()));

export const getProblemLinks = () => route(linkOperations.getProblemLinks, listLinks(createReader()));

export const getChangeLinks = () => route(linkOperations.getChangeLinks, listLinks(createReader()));

export const createIncidentLink = () => route(linkOperations.createIncidentLink, createLink(createLinkTools()));

export const deleteIncidentLink = () => route(linkOperations.deleteIncidentLink, deleteLink(createLinkTools()));
