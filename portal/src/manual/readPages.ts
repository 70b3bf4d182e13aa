import * as z from 'zod/mini'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'

/** An upgrade keeps this entry (specification, section 2: "except the user-manual key"). */
const key = 'tillside:manual'
const Names = z.array(z.string())

const read = createStore<readonly string[]>(kept())

/** The names of the manual's pages that were read on this device, by any clerk. */
export function useReadPages(): readonly string[] {
  return useStore(read)
}

/** Marks a page as read. */
export function markRead(page: string): void {
  // Another tab may have marked others.
  const names = kept()
  if (names.includes(page)) return
  const more = [...names, page]
  deviceStorage.setItem(key, JSON.stringify(more))
  read.set(more)
}

/** The stored text may be invalid. */
function kept(): readonly string[] {
  try {
    const found = z.safeParse(Names, JSON.parse(deviceStorage.getItem(key) ?? '[]'))
    return found.success ? found.data : []
  } catch {
    return []
  }
}
