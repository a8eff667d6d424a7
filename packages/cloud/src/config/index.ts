export { type About, aboutCloud, compareVersions, firstOfMajor, VERSION } from './about.ts'
export type { TimeOfDay } from './backup.ts'
export { type Config, type RedisSettings, readConfig, type SignUp } from './config.ts'
export { AUTH_SECRET_FILE, childEnvironment, loadAuthSecret, nodeFolder } from './data-folder.ts'
export { ConfigError, type Env } from './env.ts'
export { openSignUpProblem, plainHttpProblem } from './exposure.ts'
export {
  findProgram,
  loadConfig,
  loadRemoteSettings,
  type RemoteSettings,
  readRemoteSettings,
} from './load.ts'
export type { EmailClaims, IdTokenIssuer, OidcIssuer } from './oidc-issuers.ts'
export { HOME_DOMAINS, isLoopbackHost, isPrivateHost, isWildcardHost } from './private-host.ts'
export { SETTING_GROUPS } from './settings/index.ts'
export type { StreamingConfig } from './streaming.ts'
export { decodeText, readTextFile } from './text-file.ts'
export type { AcmeChallenge, AcmeConfig, TlsConfig } from './tls.ts'
export type { TracingConfig } from './tracing.ts'
export { encodeStrayPercents } from './url-credentials.ts'
