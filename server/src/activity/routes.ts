import {
  listShiftNotes,
  readShiftNote,
  searchHistoryKey,
  staffActivity,
  storeActivity,
  writeShiftNote,
} from '@tillside/contract/activity'
import { operationStatus } from '@tillside/contract/wire/operation'
import { serve } from '../http/serve.ts'
import { readHistoryKey } from './history-key.ts'
import { readActivity } from './list.ts'
import { confirmNote, readNoteList, writeNote } from './notes.ts'
import { readOperation } from './operation.ts'
import { readStoreActivity } from './store.ts'

export const activityRoutes = [
  serve(staffActivity, readActivity, { readOnly: true }),
  serve(storeActivity, readStoreActivity, { readOnly: true }),
  serve(listShiftNotes, readNoteList, { readOnly: true }),
  serve(writeShiftNote, writeNote),
  serve(readShiftNote, confirmNote),
  serve(searchHistoryKey, readHistoryKey),
  serve(operationStatus, readOperation),
]
