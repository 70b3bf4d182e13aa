import { createStore, useStore } from '../store/store.ts'
import { dayOf, formatTime, isTimeZone } from './format.ts'

// One clock for every screen: the shop's. A till's own time zone may be wrong, and a phone may
// follow its owner's journey.

const zone = createStore<string | undefined>(undefined)

/**
 * Sets the time zone of the shop, an IANA name. A device that does not support it keeps its own.
 */
export function setShopZone(name: string): void {
  if (isTimeZone(name)) zone.set(name)
}

/** The shop's clock in its time zone; the device's until that is known. */
export type ShopClock = {
  /** The IANA name; undefined: the device's. */
  zone: string | undefined
  /** The calendar day of a time in ms since 1970, `YYYY-MM-DD`. */
  dayOf: (at: number) => string
  /** The time of day, `14:02:11`. */
  timeOf: (at: number) => string
}

function clockIn(name: string | undefined): ShopClock {
  return {
    zone: name,
    dayOf: (at) => dayOf(new Date(at), name),
    timeOf: (at) => formatTime(new Date(at), name),
  }
}

/** The shop's clock outside components. */
export function shopClock(): ShopClock {
  return clockIn(zone.get())
}

/** The shop's clock; the component renders again when its time zone becomes known. */
export function useShopClock(): ShopClock {
  return clockIn(useStore(zone))
}
