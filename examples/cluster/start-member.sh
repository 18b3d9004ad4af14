# Starts a member of the cluster on this machine: sh start-member.sh NAME PORT
export WAYWISER_STATE_DIRECTORY="state/$1"
export WAYWISER_PLUGINS__CLUSTER__NAME="$1"
export WAYWISER_PLUGINS__CLUSTER__ADVERTISE="http://127.0.0.1:$2"
export WAYWISER_PLUGINS__HTTP_API__PORT="$2"
exec waywiser start --config waywiser.yml
