import type { APIResponse, Route } from '@playwright/test'

/**
 * Sends a request to the server while the page still waits for it.
 * @returns the server's answer, which the page has not received yet
 */
export async function forwardRequest(route: Route): Promise<APIResponse> {
  const request = route.request()
  if (request.method() === 'GET' || !isFirefox(route)) return route.fetch()
  // Firefox's driver does not report a request's body. `firefox.ts` stores it in the page.
  const postData = await request
    .frame()
    .evaluate(
      (url) => new Map<string, string>(Reflect.get(window, 'sentBodies')).get(url),
      request.url(),
    )
  return postData === undefined ? route.fetch() : route.fetch({ postData })
}

/** The server does its work, but its answer never reaches the page. */
export async function dropAnswer(route: Route): Promise<void> {
  await forwardRequest(route)
  await route.abort()
}

function isFirefox(route: Route): boolean {
  return route.request().frame().page().context().browser()?.browserType().name() === 'firefox'
}
