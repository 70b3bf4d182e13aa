import * as z from 'zod/mini'
import { deviceStorage } from '../kit/store/storage.ts'
import { createStore, useStore } from '../kit/store/store.ts'

/** Stays when the program is upgraded (specification, section 2); the upgrade knows the name. */
const key = 'tillside:manual'
const Names = z.array(z.string())

const read = createStore<readonly string[]>(kept())

/** The names of the manual's pages that were read on this device, by whomever. */
export function useReadPages(): readonly string[] {
  return useStore(read)
}

/** Notes that a page was read to its end. */
export function markRead(page: string): void {
  // Another tab may have noted others.
  const names = kept()
  if (names.includes(page)) return
  const more = [...names, page]
  deviceStorage.setItem(key, JSON.stringify(more))
  read.set(more)
}

/** What stands there could be anything. */
function kept(): readonly string[] {
  try {
    const found = z.safeParse(Names, JSON.parse(deviceStorage.getItem(key) ?? '[]'))
    return found.success ? found.data : []
  } catch {
    return []
  }
}
