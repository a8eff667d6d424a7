export { type Config, readConfig } from './config.ts'
export { ConfigError, type Env } from './env.ts'
export { loadConfig } from './load.ts'
export { AUTH_SECRET_FILE, loadAuthSecret } from './secrets.ts'
