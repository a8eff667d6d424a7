import type { SettingGroup } from './setting-group.ts'

export const PHONES_SETTINGS = {
  title: 'Phones',
  settings: {
    PHONE_REQUIRED_VERSION: {
      fallback: '`0.0.0`',
      description: 'phone apps older than this must be updated',
    },
    PHONE_RECOMMENDED_VERSION: {
      fallback: '`0.0.0`',
      description: 'users of phone apps older than this are asked to update',
    },
  },
} as const satisfies SettingGroup

export const SERVER_SETTINGS = {
  title: 'Server',
  settings: {
    HOST: {
      fallback: '`127.0.0.1`; `0.0.0.0` with `TLS`',
      description: 'address to listen on; `0.0.0.0` listens on all interfaces, `::` also over IPv6',
    },
    PORT: {
      fallback: '`8080`; 443 with `TLS`, and 8443 with `TLS=local`',
      description: 'port to listen on; `0` selects a free one',
    },
    PUBLIC_URL: {
      fallback:
        '`http://HOST:PORT` with the actual port; `localhost` for a loopback address, and for `0.0.0.0` the address of this machine in its home network, if it has one and is no container; with `TLS`, `https://` and a name of the certificate',
      description:
        'URL at which phones and apps reach the cloud, with a path or without; set it behind a proxy, in a container, and where phones reach this machine at another address than the start prints',
    },
    APP_SOCKET_URL: {
      fallback: '`/app-ws` below `PUBLIC_URL`',
      description:
        "URL of this node's app sockets, such as `wss://node1.example.org/app-ws`, so that apps connect directly to the node that hosts the session",
    },
    NODE_URL: {
      fallback: 'the address it listens on',
      description:
        'URL at which other nodes reach this one, such as `http://10.0.0.2:8080`, for playback of streams that it receives',
    },
    NODE_NAME: {
      fallback: 'host name and process id',
      description: 'name of this node in `cli -- nodes`, logs and metrics',
    },
    TRUST_PROXY: {
      fallback: '`false`',
      description:
        'proxies whose `X-Forwarded-*` headers are trusted: addresses such as `10.0.0.0/8,127.0.0.1`; `true` trusts every client and logs a warning',
    },
    CORS_ORIGINS: {
      fallback: 'none',
      description:
        "origins of web pages on other sites that may call the API with their users' credentials, such as `https://store.example.org`; the origin of `PUBLIC_URL` always may",
    },
    METRICS_TOKEN: {
      fallback: 'none',
      description:
        'bearer token that `GET /metrics` requires, at least 16 characters; without it, metrics are open',
      isSecret: true,
    },
    SECURITY_CONTACT: {
      fallback: 'none',
      description:
        'e-mail addresses or https URLs, separated by commas, for people who found a vulnerability: the contacts of `/.well-known/security.txt`, which does not exist without them',
    },
    SECURITY_POLICY: {
      fallback: 'none',
      description:
        'https URL of a page that says how to report vulnerabilities, for `/.well-known/security.txt`',
    },
    LOG_LEVEL: {
      fallback: '`info`',
      description: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    },
  },
} as const satisfies SettingGroup
