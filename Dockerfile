# The command with the suite in it, and nothing else.
#
#   docker build -t bfcl .
#   docker build -t bfcl --build-arg TAGS=anthropic,gemini .
#   docker run --rm -v "$PWD/results:/home/bfcl/results" -e OPENAI_API_KEY bfcl run -model=gpt-4.1-mini
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TAGS=""
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -tags="$TAGS" -o /out/bfcl ./cmd/bfcl && mkdir -p /out/home /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/home /home/bfcl
COPY --from=build --chown=65532:65532 /out/tmp /tmp
COPY --from=build /out/bfcl /bfcl
# Official datasets are looked for below /data.
ENV HOME=/home/bfcl BFCL_DATA=/data
USER 65532:65532
WORKDIR /home/bfcl
ENTRYPOINT ["/bfcl"]
