#!/bin/bash
# Makes three hosts of this machine, node1 to node3, for trying clopt on several hosts. Each has a name, a network,
# processes, shared memory and a folder /local of its own, and an sshd. All other files are shared. Needs root, and
# apt-get install openssh-server iproute2.
#   test/scripts/hosts.sh up
#   test/scripts/hosts.sh on node1 mpirun -n 3 --host node1,node2,node3 $PWD/bin/clopt devices
#   test/scripts/hosts.sh cut node3      # pulls its cable
#   test/scripts/hosts.sh plug node3     # puts it in again
#   test/scripts/hosts.sh down
set -eu
nodes="node1 node2 node3" dir=/run/clopt-hosts

# boot makes this process a host: it never returns, and the host ends with it.
boot() {
    hostname $1
    mount -t tmpfs tmpfs /dev/shm
    mount --bind $dir/hosts /etc/hosts
    mount --bind $dir/ssh /root/.ssh
    mkdir -p /local && mount -t tmpfs tmpfs /local
    exec /usr/sbin/sshd -D -e -h $dir/ssh/id -o PidFile=none -o UsePAM=no
}

up() {
    mkdir -p $dir/ssh /root/.ssh /run/sshd
    ssh-keygen -q -t ed25519 -N "" -f $dir/ssh/id
    cp $dir/ssh/id.pub $dir/ssh/authorized_keys
    printf '%s\n' "IdentityFile $dir/ssh/id" "StrictHostKeyChecking no" "LogLevel ERROR" > $dir/ssh/config
    ip netns add switch
    ip -n switch link add bridge type bridge
    ip -n switch link set bridge up
    echo 127.0.0.1 localhost > $dir/hosts
    for n in $nodes; do
        ip netns add $n
        ip -n $n link add eth0 type veth peer name $n netns switch
        ip -n switch link set $n master bridge up
        ip -n $n address add 10.77.0.${n#node}/24 dev eth0
        ip -n $n link set eth0 up
        ip -n $n link set lo up
        echo 10.77.0.${n#node} $n >> $dir/hosts
    done
    for n in $nodes; do
        ip netns exec $n unshare --mount --uts --ipc --pid --fork --kill-child --mount-proc \
            "$0" boot $n < /dev/null > $dir/$n.log 2>&1 &
        echo $! > $dir/$n.pid
    done
    for n in $nodes; do
        until on $n true 2> /dev/null; do sleep 0.1; done
    done
}

# on executes a command on a host, in the folder and with the environment of the caller.
on() {
    local host=$1
    shift
    nsenter --target "$(pgrep --parent "$(cat $dir/$host.pid)")" --net --uts --ipc --mount --pid --wd="$PWD" "$@"
}

down() {
    for n in $nodes; do
        kill "$(cat $dir/$n.pid)" || true
        ip netns delete $n
    done
    ip netns delete switch
    rm -r $dir
}

case ${1-} in
    up | down | on | boot) "$@" ;;
    cut) ip -n "$2" link set eth0 down ;;
    plug) ip -n "$2" link set eth0 up ;;
    *) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" && exit 2 ;;
esac
