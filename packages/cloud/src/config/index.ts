export { type Config, readConfig } from './config.ts'
export { ConfigError, type Env } from './env.ts'
export { loadConfig } from './load.ts'
export { authSecret, authSecretFile } from './secrets.ts'
