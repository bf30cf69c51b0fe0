# The command with the suite in it, and nothing else.
#
#   docker build -t bfcl .
#   docker run --rm --read-only --tmpfs /tmp -v bfcl-data:/data -v "$PWD/results:/home/bfcl/results" \
#     -e OPENAI_API_KEY bfcl run -model=gpt-4.1-mini
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# Adapters of every provider, as in the released commands; others with --build-arg TAGS=a,b.
ARG TAGS
ARG VERSION=""
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags="${TAGS-$(.ci/tags)}" \
  -ldflags="-s -w -X github.com/gobfcl/bfcl/internal/version.release=$VERSION" -o /out/bfcl ./cmd/bfcl && \
  mkdir -p /out/home/results /out/tmp /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/home /home/bfcl
COPY --from=build --chown=65532:65532 /out/tmp /tmp
# Official datasets are fetched to /data, and looked for there. A new volume takes
# over the folder's owner, so that the command may write to it.
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build /out/bfcl /bfcl
ENV HOME=/home/bfcl BFCL_DATA=/data
VOLUME /data
USER 65532:65532
WORKDIR /home/bfcl
ENTRYPOINT ["/bfcl"]
