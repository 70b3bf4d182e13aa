const port = 'a port number from 0 to 65535'
const folder = 'the path of a folder'
const flag = '0 or 1'
const host = 'an IP address or a host name of this machine'
const apiRoot = 'an http or https address without a query, as https://api.example.com/loyalty'
const program =
  'postgres://user:password@host:5432/database, or with ?pooler=transaction at the end'
const gateway = 'printable ASCII characters, at most 512'

/** Which values each variable of the environment may have, for the message about a wrong one. */
export const allowedValues = {
  NODE_ENV: 'development, production or test',
  PORT: port,
  HOST: host,
  DATABASE_URL: 'postgres://user:password@host:5432/database, without a pooler',
  DATABASE_APP_URL: program,
  DATABASE_REPLICA_URL: program,
  DATA_DIR: folder,
  ARCHIVE_DIR: `${folder} without quotation marks, backslashes and %`,
  PORTAL_DIR: folder,
  DEMO: flag,
  JOBS: flag,
  ONE_ROUND_TRIP: flag,
  REMEMBER_SESSIONS: flag,
  PROCESSES: 'a number from 1 to 64',
  METRICS_PORT: port,
  METRICS_HOST: host,
  TRUST_PROXY:
    'IP addresses and networks of your proxies, as 127.0.0.1,10.0.0.0/8, but no network of /0',
  DRAIN_SECONDS: 'a number of seconds from 0 to 300',
  KEY_REQUESTS_PER_MINUTE: 'a number from 1 to 999999999',
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent',
  PUBLIC_URL: 'an http or https address without a path, as https://counter.example.com',
  API_ROOT_QA: apiRoot,
  API_ROOT_UAT: apiRoot,
  API_ROOT_PRODUCTION: apiRoot,
  PORTAL_ORIGINS: 'origins without a path, separated by commas, as https://counter.example.com',
  TILLSIDE_BY: 'a name of at most 100 characters',
  SMTP_URL: 'smtps://user:password@host or smtp://host',
  SMTP_FROM: 'an e-mail address',
  SMS_PROVIDER: 'twilio or yunpian',
  SMS_URL: 'an http or https address without a user name',
  SMS_HEADERS: 'a JSON object of names and texts, as {"x-key":"secret"}',
  SMS_BODY: 'a text with {{to}} and {{text}}',
  SMS_ANSWER: 'a regular expression of at most 200 characters',
  SMS_USER: gateway,
  SMS_PASSWORD: gateway,
  SMS_FROM: gateway,
}
