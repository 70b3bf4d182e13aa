import { configQuery } from '../company/config.ts'
import { queryClient } from '../kit/call/query.ts'
import { session } from '../kit/call/session.ts'
import { covered, emptyScene, scene, type Scene } from '../kit/store/scene.ts'
import type { DisplayAddress } from './address.ts'
import { openChannel } from './message.ts'

/**
 * Connects this window to its display: tells it what the customer may see, whenever that changes or
 * the display asks.
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
  const leave = () => show(emptyScene)
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
    removeEventListener('pageshow', showNow)
    channel.close()
    end()
  }
  addEventListener('pagehide', leave)
  addEventListener('pageshow', showNow)
  showNow()
}
