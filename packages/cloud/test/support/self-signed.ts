/**
 * A certificate for `localhost` that no authority signed, and its key. For tests only. Created with `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost -addext
 * subjectAltName=DNS:localhost`.
 */
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUQqkWvXkP5ZqpUv7xHNQufPT6ou8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE0MzQ0N1oYDzIxMjYxMDI5
MTQzNDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATY6CDEhL5gnOqkf2y4p7MwWrqCMWmvLl7c8CXyM9svldlyvbc0uR7K
EriUTLmAyU7PZYxPgbAaO7LL+1+BDKiOo2kwZzAdBgNVHQ4EFgQU7teTYUU+vCIW
7BrHSGI1i/bZcuYwHwYDVR0jBBgwFoAU7teTYUU+vCIW7BrHSGI1i/bZcuYwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgWUI8cwWet+ObNdaF9MPareQRRrNdmLQMiHb+8ov4vCsCIEaVe1P9BSJl
E4Bc7PRE3lP6cbXZlWzGHLEEYjswhL4e
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpT+IRqkTQllLTG3w
LXaXo2rg0DbfILtAtquhEEeYysihRANCAATY6CDEhL5gnOqkf2y4p7MwWrqCMWmv
Ll7c8CXyM9svldlyvbc0uR7KEriUTLmAyU7PZYxPgbAaO7LL+1+BDKiO
-----END PRIVATE KEY-----`,
} as const
