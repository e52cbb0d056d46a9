# Functions for the shell examples, in bash and zsh: `. docs/examples/shell.sh`, in the folder of the repository.

# Reads a member of credentials.json, which has the addresses and a client for each role.
credential() { node -pe "JSON.parse(fs.readFileSync('${DATA_DIR:-.data}/credentials.json')).$1"; }
BASE=$(credential base_url)

# Exchanges the client of a role for an access token.
login() { TOKEN=$(curl -sS "$BASE/oauth2/token" -d grant_type=client_credentials -d "client_id=$(credential clients.${1:-manager}.client_id)" -d "client_secret=$(credential clients.${1:-manager}.client_secret)" | field access_token); }

# Sends a request with the token: api METHOD PATH [options of curl]
api() { curl -sS --fail-with-body -w '\n' -X "$1" "$BASE/prod/api/v1$2" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "${@:3}"; }

# Reads one field of a response.
field() { node -pe 'JSON.parse(fs.readFileSync(0))[process.argv[1]]' "$1"; }
