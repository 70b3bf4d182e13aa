import { configQuery } from '../company/config.ts'
import { queryClient } from '../kit/call/query.ts'
import { session } from '../kit/call/session.ts'
import { covered, emptyScene, scene, type Scene } from '../kit/store/scene.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { type DisplayAddress, displayKey } from './address.ts'
import { openChannel } from './message.ts'

/**
 * Connects this window to its display: tells it what the customer may see, whenever that changes or
 * the display asks. The tab's storage has the display only between two pages of the tab, so that a
 * copy of the tab does not get it (decision 0101).
 * @param end runs when the clerk's session has ended
 */
export function linkDisplay(own: DisplayAddress, end: () => void): void {
  const channel = openChannel(own, ({ type }) => {
    if (type === 'ask') showNow()
  })
  const show = (shown: Scene) => {
    const config = queryClient.getQueryData(configQuery.queryKey) ?? null
    channel.say({ type: 'show', scene: shown, config })
  }
  const showNow = () => show(covered.get() ? emptyScene : scene.get())
  const leave = () => {
    show(emptyScene)
    tabStorage.setItem(displayKey(own.staff), own.display)
  }
  const enter = () => {
    tabStorage.removeItem(displayKey(own.staff))
    showNow()
  }
  const stops = [
    scene.watch(showNow),
    covered.watch(showNow),
    session.watch((info) => {
      if (info?.staff.account === own.staff) return
      channel.say({ type: 'end' })
      unlink()
    }),
  ]
  const unlink = () => {
    for (const stop of stops) stop()
    removeEventListener('pagehide', leave)
    removeEventListener('pageshow', enter)
    channel.close()
    end()
  }
  addEventListener('pagehide', leave)
  addEventListener('pageshow', enter)
  showNow()
}
