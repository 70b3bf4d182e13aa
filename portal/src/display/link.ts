import { configQuery } from '../company/config.ts'
import { queryClient } from '../kit/call/query.ts'
import { newKey } from '../kit/action/action.ts'
import { session } from '../kit/call/session.ts'
import { covered, emptyScene, scene, type Scene } from '../kit/store/scene.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { type DisplayAddress, displayKey } from './address.ts'
import { type DisplayMessage, openChannel } from './message.ts'

/** How long a window that may be a copy waits for the window that opened the display; in ms. */
const claimMs = 300

let linked: string | null = null

/**
 * Connects this window to its display: tells it what the customer may see, whenever that changes or
 * the display asks. A copy of a tab has the same stored display, and gives it up (decision 0101).
 * @param isNew the display has just been opened by this window
 */
export function linkDisplay(own: DisplayAddress, isNew: boolean): void {
  if (linked === own.display) return
  linked = own.display
  const channel = openChannel(own, hear)
  const owner = newKey()
  let owns = isNew
  const show = (shown: Scene) => {
    const config = queryClient.getQueryData(configQuery.queryKey) ?? null
    if (owns) channel.say({ type: 'show', scene: shown, config })
  }
  const showNow = () => show(covered.get() ? emptyScene : scene.get())
  const hide = () => show(emptyScene)
  const stops = [
    scene.watch(showNow),
    covered.watch(showNow),
    session.watch((info) => {
      if (info?.staff.account === own.staff) return
      if (owns) channel.say({ type: 'end' })
      unlink()
    }),
  ]
  const unlink = () => {
    for (const stop of stops) stop()
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', showNow)
    tabStorage.removeItem(displayKey(own.staff))
    channel.close()
    linked = null
  }
  function hear(message: DisplayMessage): void {
    if (message.type === 'ask') showNow()
    if (message.type === 'claim' && message.owner !== owner && owns) {
      channel.say({ type: 'held', owner })
    }
    if (message.type === 'held' && message.owner !== owner && !owns) unlink()
  }
  addEventListener('pagehide', hide)
  addEventListener('pageshow', showNow)
  if (isNew) return showNow()
  channel.say({ type: 'claim', owner })
  setTimeout(() => {
    owns = linked === own.display
    if (owns) showNow()
  }, claimMs)
}
